//! Tricks on the Python that shares its process with the code.

use assay_sandbox::StepStatus;

use crate::attack::{Attack, End};

const LOST: &[StepStatus] = &[StepStatus::Crashed];

pub(crate) const ATTACKS: &[Attack] = &[
    Attack::new("end the process", "os._exit(0)", End::Ends(&[StepStatus::Exited])),
    Attack::new("abort the process", "os.abort()", End::Ends(LOST)),
    Attack::new("crash in C", "ctypes.string_at(0)", End::Ends(LOST)),
    Attack::new("destroy Python's own objects", "ctypes.memset(id(None), 0xFF, 16)\nNone == 1\nimport gc; gc.collect(); os._exit(0)", End::Ends(&[StepStatus::Crashed, StepStatus::Exited])),
    Attack::new("call itself without end", "def f(): return f()\nf()", End::Raises("RecursionError")),
    Attack::new(
        "call itself beyond the stack",
        "sys.setrecursionlimit(1 << 30)\nthreading.stack_size(64 << 10)\ndef f(n): return max([n], key=lambda each: f(each + 1))\nf(0)",
        End::Ends(&[StepStatus::Crashed, StepStatus::Error]),
    ),
    Attack::new(
        "replace what the kernel uses",
        "import json, builtins\nkept = json.dumps, builtins.print\njson.dumps = lambda *_: 'no'\nbuiltins.print = None\nstruct.pack = None",
        End::Ends(&[StepStatus::Crashed, StepStatus::Exited, StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "replace the kernel's own functions",
        "kernel = sys.modules['assay_kernel']\nfor name in ('run', 'attempt', 'receive', 'send', 'describe', 'flush'):\n    setattr(kernel, name, lambda *_: 1 / 0)",
        End::Ends(&[StepStatus::Exited]),
    ),
    Attack::new("close its streams", "sys.stdout.close(); sys.stderr.close(); os.close(1); os.close(2)", End::Ends(&[StepStatus::Ok, StepStatus::Exited])),
    Attack::new("lose its streams", "sys.stdout = sys.stderr = sys.stdin = None", End::Ends(&[StepStatus::Ok])),
    Attack::new(
        "leave something for the end",
        "import atexit\natexit.register(lambda: time.sleep(600))\nthreading.Thread(target=time.sleep, args=(600,)).start()\nsys.exit(0)",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "print after the step",
        "def later():\n    time.sleep(0.05)\n    print('late')\nthreading.Thread(target=later).start()",
        End::Prints(""),
    ),
    Attack::new(
        "raise what cannot be described",
        "class Silent(Exception):\n    def __str__(self): raise RuntimeError('no words')\n    __repr__ = __str__\nraise Silent()",
        End::Raises("Silent"),
    ),
    Attack::new(
        "raise what is described without end",
        "class Endless(Exception):\n    def __str__(self):\n        while True: pass\nraise Endless()",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new("raise what is no text", "raise ValueError('\\ud800\\x00\\x1b[31m')", End::Raises("ValueError")),
    Attack::new("raise what is too long", "raise ValueError('x' * (64 << 20))", End::Raises("ValueError")),
    Attack::new("raise what has a false name", "raise type('\\ud800' if False else 'A' * 100_000, (Exception,), {})('x')", End::Ends(&[StepStatus::Error])),
    Attack::new(
        "show what shows itself without end",
        "class Endless:\n    def __repr__(self):\n        while True: pass\nEndless()",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "raise within what is raised",
        "error = None\nfor n in range(5000):\n    new = ValueError(n)\n    new.__cause__ = error\n    error = new\nraise error",
        End::Raises("ValueError"),
    ),
    Attack::new("leave by a thread", "threading.Thread(target=os._exit, args=(0,)).start()\ntime.sleep(5)", End::Ends(&[StepStatus::Exited])),
    Attack::new(
        "ignore the interrupt",
        "for number in range(1, 65):\n    try: signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "catch the interrupt",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "block the interrupt below Python",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nctypes.PyDLL(None).sleep(600)",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "live on as a daemon",
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        for fd in range(0, 64):\n            try: os.close(fd)\n            except OSError: pass\n        signal.signal(signal.SIGTERM, signal.SIG_IGN)\n        while True: time.sleep(1)\n    os._exit(0)\nos.wait()\nprint('one more')",
        End::Prints("one more\n"),
    ),
    Attack::new(
        "hold Python's lock when the step is over",
        "threading.Thread(target=lambda: (time.sleep(0.1), ctypes.PyDLL(None).sleep(600)), daemon=True).start()",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new("fake the time", "time.monotonic = time.time = lambda: 0\ntime.sleep(0)\nprint('ok')", End::Prints("ok\n")),
    Attack::new("ask for input", "input()", End::Raises("EOFError")),
    Attack::new("empty the modules", "sys.modules.clear()", End::Ends(&[StepStatus::Ok, StepStatus::Exited, StepStatus::Error])),
];
