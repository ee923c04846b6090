//! The kernel in the real sandbox: variables, output, figures, limits, and code that does its worst.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use std::time::Duration;

use assay_sandbox::{Manifest, Policy, StepStatus};
use assay_tests::{Bench, docker, paths};

async fn bench() -> Option<Bench> {
    let runtime = docker().await?;
    Some(Bench::open(&runtime, &Manifest::default(), &Policy::default()).await.unwrap())
}

#[tokio::test]
async fn an_error_names_the_line_of_the_code_and_nothing_of_the_machinery() {
    let Some(mut bench) = bench().await else { return };
    let outcome = bench.python("def f():\n    return {}['missing']\n\nf()").await.unwrap();
    let error = outcome.error.unwrap();
    assert_eq!((error.kind.as_str(), error.message.as_str(), error.line), ("KeyError", "'missing'", Some(2)));
    assert!(error.traceback.contains("return {}['missing']"), "{}", error.traceback);
    assert!(!error.traceback.contains("<kernel>"), "{}", error.traceback);
    let syntax = bench.python("print('a'\nx = = 1").await.unwrap().error.unwrap();
    assert_eq!((syntax.kind.as_str(), syntax.line), ("SyntaxError", Some(1)));
    let exit = bench.python("import sys; sys.exit(4)").await.unwrap();
    assert_eq!((exit.status, exit.restarted), (StepStatus::Error, false));
    assert_eq!(bench.python("import sys; sys.exit()").await.unwrap().status, StepStatus::Ok);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn an_error_comes_with_what_the_libraries_say_that_would_help() {
    let Some(mut bench) = bench().await else { return };
    bench.python("import numpy as np, pandas as pd\nfrom scipy import stats").await.unwrap();
    for (code, expected) in [
        (
            "found = stats.anderson([1.0, 2, 3, 4, 5, 6, 7, 8])\nfound.critical_value",
            "Did you mean `critical_values`?",
        ),
        ("a, b, c = np.polyfit([1, 2, 3], [2, 4, 7], 1)", "np.polyfit(x, y, deg, rcond=None"),
        ("a, b, c = np.polyfit([1, 2, 3], [2, 4, 7], 1)", "returns p : ndarray"),
        ("pd.Series([1, 2]).corr(pd.Series([2, 1])).pvalue", "corr(self, other"),
        ("totale = 1\nprint(total)", "Did you mean `totale`?"),
    ] {
        let advice = bench.python(code).await.unwrap().error.unwrap().advice.unwrap_or_default();
        assert!(advice.contains(expected), "{code}: {advice}");
    }
    // Nothing of the code's own is called or looked into for it.
    let own = "class A:\n    @property\n    def b(self):\n        print('asked')\n        raise ValueError('too few values to unpack')\nA().b()";
    let outcome = bench.python(own).await.unwrap();
    assert_eq!((outcome.error.unwrap().advice, outcome.stdout.head.as_str()), (None, "asked\n"));
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn values_that_are_lost_on_the_way_are_told_of() {
    let Some(mut bench) = bench().await else { return };
    let told = async |bench: &mut Bench, code: &str| bench.python(code).await.unwrap().stderr.head;
    bench
        .python("import pandas as pd\nfrom scipy import stats\nx = pd.Series([0, 1, 12.5, None, 40])")
        .await
        .unwrap();
    let lost = told(&mut bench, "t, p = stats.ttest_ind(x, [1, 2, 3])\nn = 3").await;
    assert_eq!(lost.lines().count(), 1, "{lost}");
    assert!(lost.starts_with("t, p are NaN, no number"), "{lost}");
    let left = told(&mut bench, "g = pd.cut(x, [0, 10, 20])").await;
    assert!(left.contains("2 values lie in no bin, from 0.0 to 40.0"), "{left}");
    assert_eq!(told(&mut bench, "g = pd.cut(x, [0, 10, 50], include_lowest=True)\nm = x.mean()").await, "");
    assert_eq!(told(&mut bench, "g, edges = pd.cut(x, 3, retbins=True)").await, "");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn field_042_043_045_046_every_figure_is_saved_once_however_it_was_drawn() {
    let Some(mut bench) = bench().await else { return };
    let drawn = bench
        .python("import pandas as pd\ndf = pd.DataFrame({'a': [1, 2, 3]})\ndf.plot(kind='bar')")
        .await
        .unwrap();
    assert_eq!(paths(&drawn), ["output/charts/step_01_figure_1.png"]);
    assert!(!drawn.stdout.head.contains("Axes"), "{}", drawn.stdout.head);
    let shown = bench
        .python(
            "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.title('quantity'); plt.show()\nplt.plot([2, 1]); plt.show()",
        )
        .await
        .unwrap();
    assert_eq!(paths(&shown), ["output/charts/step_02_figure_1.png", "output/charts/step_02_figure_2.png"]);
    let saved = bench
        .python("import os\nos.makedirs('output/sub', exist_ok=True)\nplt.plot([3, 1]); plt.savefig('output/sub/chart.png')")
        .await
        .unwrap();
    assert_eq!(paths(&saved), ["output/sub/chart.png"]);
    let elsewhere = bench.python("plt.plot([3, 1]); plt.savefig('work/draft.png')").await.unwrap();
    assert_eq!(paths(&elsewhere), ["output/charts/step_04_figure_1.png", "work/draft.png"]);
    let grid =
        bench.python("fig, axes = plt.subplots(2, 2)\n[a.plot([1]) for a in axes.flat]\naxes").await.unwrap();
    assert_eq!(grid.stdout.head, "Chart saved: output/charts/step_05_figure_1.png\n");
    let failing = bench.python("plt.plot([1, 5])\n1 / 0").await.unwrap();
    assert_eq!(failing.status, StepStatus::Error);
    assert_eq!(paths(&failing), ["output/charts/step_06_figure_1.png"]);
    let folder = tempfile::tempdir().unwrap();
    let mut pictures = Vec::new();
    for name in ["step_02_figure_1", "step_02_figure_2"] {
        let to = folder.path().join(name);
        bench.session.fetch(&format!("output/charts/{name}.png"), &to, 1 << 24).await.unwrap();
        pictures.push(std::fs::read(to).unwrap());
    }
    assert!(pictures.iter().all(|picture| picture.starts_with(b"\x89PNG")));
    assert_ne!(pictures[0], pictures[1]);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn field_047_no_figure_waits_for_a_window() {
    let Some(mut bench) = bench().await else { return };
    let outcome = bench
        .python("import matplotlib, matplotlib.pyplot as plt\nplt.plot([1]); plt.show()\nprint(matplotlib.get_backend())")
        .await
        .unwrap();
    assert_eq!(outcome.status, StepStatus::Ok);
    assert!(outcome.stdout.head.to_lowercase().contains("agg"), "{}", outcome.stdout.head);
    assert_eq!(outcome.stderr.head, "");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn field_039_041_every_script_is_drawn_with_the_fonts_of_the_image() {
    let Some(mut bench) = bench().await else { return };
    let outcome = bench
        .python(
            "import warnings; warnings.simplefilter('error')\nimport matplotlib.pyplot as plt\n\
             plt.bar(['北京', '東京', '서울', 'القاهرة', 'दिल्ली', 'กรุงเทพ', 'Łódź'], range(7))\n\
             plt.title('销售额 ≥ 5 → ☀')\nplt.show()",
        )
        .await
        .unwrap();
    assert_eq!((outcome.status, outcome.stderr.head.as_str()), (StepStatus::Ok, ""), "{:?}", outcome.error);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn field_067_memory_that_runs_out_is_told_apart_from_a_crash() {
    let runtime = docker().await;
    let Some(runtime) = runtime else { return };
    let policy = Policy { memory_mib: 256, ..Policy::default() };
    let mut bench = Bench::open(&runtime, &Manifest::default(), &policy).await.unwrap();
    let outcome = bench.python("held = bytearray(10)\nrest = b'x' * (900 << 20)").await.unwrap();
    assert_eq!((outcome.status, outcome.restarted), (StepStatus::OutOfMemory, true));
    assert_eq!(bench.python("print(1)").await.unwrap().stdout.head, "1\n");
    let crash = bench.python("import os; os.kill(os.getpid(), 11)").await.unwrap();
    assert_eq!((crash.status, crash.restarted), (StepStatus::Crashed, true));
    let left = bench.python("import os; os._exit(0)").await.unwrap();
    assert_eq!((left.status, left.restarted), (StepStatus::Exited, true));
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn field_093_a_flood_of_output_is_bounded_and_its_whole_is_kept_in_a_file() {
    let Some(mut bench) = bench().await else { return };
    let outcome = bench.python("for i in range(100_000): print('line', i)").await.unwrap();
    assert_eq!(outcome.status, StepStatus::Ok);
    assert!(outcome.stdout.head.starts_with("line 0\nline 1\n"));
    assert!(outcome.stdout.tail.ends_with("line 99998\nline 99999\n"), "{:?}", outcome.stdout.tail);
    let total: usize = (0..100_000).map(|i| format!("line {i}\n").len()).sum();
    let captured = &outcome.stdout;
    assert_eq!(
        captured.head.len() + captured.tail.len() + usize::try_from(captured.skipped_bytes).unwrap(),
        total
    );
    let path = captured.full_text.clone().unwrap();
    let read = bench
        .python(&format!("text = open('{path}').read()\nprint(len(text), text.splitlines()[50_000])"))
        .await;
    assert_eq!(read.unwrap().stdout.head, format!("{total} line 50000\n"));
    let endless =
        bench.python("import sys\nfor _ in range(200): sys.stdout.write('x' * (1 << 20))").await.unwrap();
    assert_eq!(endless.status, StepStatus::Ok);
    assert!(endless.stdout.head.len() + endless.stdout.tail.len() < 100_000);
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn threads_and_daemons_that_go_on_do_not_write_into_the_next_step() {
    let Some(mut bench) = bench().await else { return };
    bench
        .python("import threading, time\ndef late():\n    time.sleep(0.1)\n    print('late')\nthreading.Thread(target=late).start()")
        .await
        .unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(bench.python("print('own')").await.unwrap().stdout.head, "own\n");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn field_038_a_wide_table_is_printed_with_all_its_columns() {
    let Some(mut bench) = bench().await else { return };
    let outcome = bench
        .python("import pandas as pd\nprint(pd.DataFrame([range(24)], columns=[f'column_{i}' for i in range(24)]))")
        .await
        .unwrap();
    for i in 0..24 {
        assert!(outcome.stdout.head.contains(&format!("column_{i}")), "{}", outcome.stdout.head);
    }
    bench.session.close().await.unwrap();
}
