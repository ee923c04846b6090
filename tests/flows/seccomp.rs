//! The system-call filter: no wider than the engine's own, and wide enough for everything an analysis uses.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::collections::BTreeMap;

use assay_sandbox::{Action, Manifest, Policy, Runtime, Seccomp, StepStatus};
use assay_tests::{Bench, docker};
use tokio_util::sync::CancellationToken;

/// Calls everything by its number with arguments that do no harm, and what is allowed for some arguments only with
/// several, each in a process of its own: what came of it, an error's number or a signal's below zero.
const TRY_ALL: &str = r#"
import ctypes, errno, json, os, platform, signal
libc = ctypes.CDLL(None, use_errno=True)
def outcome(number, arguments):
    child = os.fork()
    if not child:
        signal.alarm(1)
        ctypes.set_errno(0)
        result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(value) for value in arguments])
        os._exit(ctypes.get_errno() if result == -1 else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
tries = {f"{number}": (number, (-1,) * 6) for number in range(470)}
x86 = platform.machine() == "x86_64"
for family in range(46):
    for kind in (1, 2, 3, 5):
        tries[f"socket {family} {kind}"] = (41 if x86 else 198, (family, kind, 0, 0, 0, 0))
        tries[f"socketpair {family} {kind}"] = (53 if x86 else 199, (family, kind, 0, 0, 0, 0))
for bit in range(32):
    tries[f"clone {bit}"] = (56 if x86 else 220, ((1 << bit) | 17, 0, 0, 0, 0, 0))
    tries[f"unshare {bit}"] = (272 if x86 else 97, (1 << bit, 0, 0, 0, 0, 0))
    tries[f"personality {bit}"] = (135 if x86 else 92, (1 << bit, 0, 0, 0, 0, 0))
for kind in range(16):
    tries[f"mknodat {kind}"] = (259 if x86 else 33, (-1, 0, kind << 12, 0, 0, 0))
for pid in (0, 1, -1):
    tries[f"prlimit64 {pid}"] = (302 if x86 else 261, (pid, 7, 0, 0, 0, 0))
    tries[f"setpriority {pid}"] = (141 if x86 else 140, (0, pid, 19, 0, 0, 0))
print(json.dumps({name: outcome(*each) for name, each in tries.items()}))
"#;

async fn outcomes(runtime: &dyn Runtime, seccomp: Seccomp) -> BTreeMap<String, i32> {
    let policy = Policy { seccomp, ..Policy::default() };
    let mut bench = Bench::open(runtime, &Manifest::default(), &policy).await.unwrap();
    // Not in the kernel, which is large and takes long to fork.
    bench.session.write("work/try_all.py", TRY_ALL.as_bytes()).await.unwrap();
    let command = Action::Shell { command: "python3 work/try_all.py".into() };
    let tried = bench.act(command, 120.0, &CancellationToken::new()).await.unwrap();
    bench.session.close().await.unwrap();
    serde_json::from_str(&(tried.stdout.head.clone() + &tried.stdout.tail))
        .unwrap_or_else(|error| panic!("{error}: {tried:?}"))
}

#[tokio::test]
async fn the_filter_is_no_wider_than_the_engines_own() {
    let Some(runtime) = docker().await else { return };
    let engine = outcomes(&runtime, Seccomp::EngineDefault).await;
    let own = outcomes(&runtime, Seccomp::Analysis).await;
    let denied = |outcome: i32| matches!(outcome, 1 | 38);
    let wider: Vec<_> = own.iter().filter(|(name, now)| denied(engine[*name]) && !denied(**now)).collect();
    assert_eq!(wider, [], "allowed here and not by the engine's profile");
    let narrower = own.iter().filter(|(name, now)| denied(**now) && !denied(engine[*name])).count();
    assert!(narrower > 50, "only {narrower} calls are denied that the engine's profile allows");
    assert_eq!(own.len(), engine.len());
}

#[tokio::test]
async fn everything_that_an_analysis_uses_works_under_the_filter() {
    let Some(runtime) = docker().await else { return };
    let mut bench = Bench::open(&runtime, &Manifest::default(), &Policy::default()).await.unwrap();
    for (code, expected) in [
        (
            "import pandas as pd, numpy as np\ndf = pd.DataFrame({'a': np.arange(1000) % 7, 'b': np.arange(1000.0)})\nprint(df.groupby('a').b.sum().sum())",
            "499500.0\n",
        ),
        (
            "df.to_parquet('work/t.parquet'); df.to_excel('work/t.xlsx'); df.to_csv('work/t.csv')\nprint(len(pd.read_parquet('work/t.parquet')), len(pd.read_excel('work/t.xlsx')), len(pd.read_csv('work/t.csv', engine='pyarrow')))",
            "1000 1000 1000\n",
        ),
        (
            "import duckdb\nprint(duckdb.sql(\"select sum(b) from 'work/t.parquet'\").fetchone()[0])\nduckdb.connect('work/t.db').sql('create table t as select * from df')",
            "499500.0\n",
        ),
        (
            "import scipy.stats, scipy.optimize, statsmodels.api as sm, sklearn.ensemble\nprint(round(scipy.optimize.brentq(lambda x: x * x - 2, 0, 2), 3))\nsm.OLS(df.b, sm.add_constant(df.a)).fit()\nforest = sklearn.ensemble.RandomForestRegressor(8, n_jobs=2).fit(df[['a']], df.b)",
            "1.414\n",
        ),
        (
            "import altair as alt, vl_convert\nprint(len(vl_convert.vegalite_to_png(alt.Chart(df.head(50)).mark_line().encode(x='a', y='b').to_dict())) > 1000)",
            "True\n",
        ),
        (
            "import matplotlib.pyplot as plt\nplt.plot(df.b); plt.savefig('output/a.png'); plt.savefig('output/a.pdf'); plt.savefig('output/a.svg'); plt.close()\nprint('drawn')",
            "drawn\n",
        ),
        (
            "import subprocess\nprint(subprocess.run('echo a | tr a b; sleep 0.01 & wait', shell=True, capture_output=True, text=True, timeout=5).stdout)",
            "b\n\n",
        ),
        (
            "import threading, concurrent.futures\nwith concurrent.futures.ThreadPoolExecutor(4) as pool: print(sum(pool.map(abs, range(-3, 1))))",
            "6\n",
        ),
        (
            "import multiprocessing as mp\nwith mp.get_context('fork').Pool(2) as pool: print(sum(pool.map(abs, range(-3, 1))))\nqueue = mp.get_context('spawn').Queue(); queue.put(7); print(queue.get(timeout=5))\nwith mp.Manager() as manager: print(list(manager.list([1])))",
            "6\n7\n[1]\n",
        ),
        (
            "from multiprocessing import shared_memory\nheld = shared_memory.SharedMemory(create=True, size=4096); print(held.size); held.close(); held.unlink()",
            "4096\n",
        ),
        (
            "import joblib\nprint(sum(joblib.Parallel(2)(joblib.delayed(abs)(n) for n in range(-3, 1))))",
            "6\n",
        ),
        (
            "import asyncio\nasync def tick():\n    made = await asyncio.create_subprocess_exec('echo', 'on', stdout=-1)\n    return (await made.communicate())[0].decode()\nprint(asyncio.run(tick()))",
            "on\n\n",
        ),
        (
            "import socket, http.server, threading, urllib.request\nserver = http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\nthreading.Thread(target=server.serve_forever, daemon=True).start()\nprint(urllib.request.urlopen(f'http://127.0.0.1:{server.server_port}/work/t.csv').status)\nserver.shutdown()",
            "200\n",
        ),
        (
            "import os, shutil, sqlite3, tempfile, mmap, zipfile, signal, time\nos.mkfifo('work/pipe'); shutil.copy2('work/t.csv', 'work/u.csv'); shutil.copytree('work', '/tmp/copy', ignore=shutil.ignore_patterns('pipe'))\nsqlite3.connect('work/t.sqlite').execute('create table t (a)')\nsignal.setitimer(signal.ITIMER_REAL, 0); os.nice(1); time.sleep(0.01)\nwith open('work/u.csv', 'r+b') as file: print(len(mmap.mmap(file.fileno(), 0)) > 0, os.sched_getaffinity(0) != set(), time.get_clock_info('monotonic').monotonic)",
            "True True True\n",
        ),
    ] {
        let outcome = bench.python(code).await.unwrap();
        assert_eq!(
            (outcome.status, outcome.stdout.head.as_str()),
            (StepStatus::Ok, expected),
            "{code}\n{:?}\n{}",
            outcome.error,
            outcome.stderr.head
        );
    }
    let own_test = Action::Shell { command: "python3 /opt/assay/selftest.py".into() };
    let tested = bench.act(own_test, 180.0, &CancellationToken::new()).await.unwrap();
    assert_eq!(tested.status, StepStatus::Ok, "{}", tested.stderr.head);
    bench.session.close().await.unwrap();
}
