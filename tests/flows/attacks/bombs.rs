//! More of everything than there is.

use assay_sandbox::{Limit, StepStatus};

use crate::attack::{Attack, End};

const MEMORY: &[Limit] = &[Limit::Memory];
const PROCESSES: &[Limit] = &[Limit::Processes];

pub(crate) const ATTACKS: &[Attack] = &[
    Attack::new(
        "fork without end",
        "n = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(600)\n        n += 1\nexcept OSError as error: print(n < 64, error.strerror)",
        End::Prints("True Resource temporarily unavailable\n"),
    )
    .against(PROCESSES),
    Attack::new(
        "fork in every fork",
        "print('on', flush=True)\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0)
    .against(PROCESSES),
    Attack::new(
        "fork in a shell",
        "subprocess.run(['sh', '-c', 'f() { f | f & }; f'], capture_output=True)\nprint('on')",
        End::Ends(&[StepStatus::Ok, StepStatus::Error, StepStatus::Timeout]),
    )
    .within(2.0)
    .against(PROCESSES),
    Attack::new(
        "threads without end",
        "n = 0\ntry:\n    while True:\n        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n        n += 1\nexcept RuntimeError as error: print(n < 64, error)",
        End::Prints("True can't start new thread\n"),
    )
    .against(PROCESSES),
    Attack::new("take all memory", "held = []\nwhile True: held.append(b'x' * (32 << 20))", End::Ends(&[StepStatus::OutOfMemory]))
        .against(MEMORY),
    Attack::new(
        "take all memory and hide from the system",
        "open('/proc/self/oom_score_adj', 'w').write('0')\nheld = []\nwhile True: held.append(b'x' * (32 << 20))",
        End::Ends(&[StepStatus::OutOfMemory]),
    )
    .against(MEMORY),
    Attack::new(
        "take all memory by many",
        "for _ in range(8):\n    if os.fork() == 0:\n        held = []\n        while len(held) < 100: held.append(b'x' * (8 << 20))\n        os._exit(0)\ntry:\n    while True: os.wait()\nexcept ChildProcessError: print('alone')",
        End::Prints("alone\n"),
    )
    .against(MEMORY),
    Attack::new(
        "take all memory by files that are open and gone",
        "held = []\ntry:\n    while len(held) < 64:\n        held.append(os.memfd_create('x'))\n        os.write(held[-1], b'x' * (32 << 20))\nexcept OSError as error: print(error.strerror)",
        End::Ends(&[StepStatus::OutOfMemory]),
    )
    .against(MEMORY),
    Attack::new(
        "fill every place",
        "for folder in ('output', 'work', '/tmp', '/dev/shm'):\n    try:\n        with open(folder + '/big', 'wb', buffering=0) as file:\n            while True: file.write(b'x' * (1 << 20))\n    except OSError as error: print(error.strerror)\n    os.remove(folder + '/big')",
        End::Prints("No space left on device\nNo space left on device\nNo space left on device\nNo space left on device\n"),
    )
    .against(&[Limit::Output, Limit::Work, Limit::Temporary]),
    Attack::new(
        "files without number",
        "for folder in ('output', 'work', '/tmp', '/dev/shm'):\n    os.mkdir(folder + '/many')\n    n = 0\n    try:\n        while True:\n            open(f'{folder}/many/{n}', 'w').close()\n            n += 1\n    except OSError as error: print(n < 2000, error.strerror)\n    for name in range(n): os.remove(f'{folder}/many/{name}')\n    os.rmdir(folder + '/many')",
        End::Prints("True No space left on device\nTrue No space left on device\nTrue No space left on device\nTrue No space left on device\n"),
    )
    .against(&[Limit::Files]),
    Attack::new(
        "folders in folders",
        "start = os.open('work', os.O_RDONLY)\nos.mkdir('deep', dir_fd=start)\nat = os.open('deep', os.O_RDONLY, dir_fd=start)\nn = 0\ntry:\n    while n < 1500:\n        os.mkdir('d' * 200, dir_fd=at)\n        deeper = os.open('d' * 200, os.O_RDONLY, dir_fd=at)\n        os.close(at)\n        at = deeper\n        n += 1\nexcept OSError as error: print(error)\nprint(n)",
        End::Prints("1500\n"),
    ),
    Attack::new(
        "open files without end",
        "n = 0\nheld = []\ntry:\n    while True:\n        held.append(open('/dev/null'))\n        n += 1\nexcept OSError as error: print(n < 512, error.strerror)",
        End::Prints("True Too many open files\n"),
    )
    .against(&[Limit::OpenFiles]),
    Attack::new(
        "queue messages, signals and timers of the host",
        "refused(lambda: os.close(os.open('/dev/mqueue/x', os.O_CREAT | os.O_RDWR)))\nsignal.pthread_sigmask(signal.SIG_BLOCK, [34, 35])\nn = 0\nvalue = ctypes.c_long(0)\nlibc.sigqueue.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p]\nwhile n < 20_000 and libc.sigqueue(os.getpid(), 35, None) == 0: n += 1\nprint('refused' if n <= 1024 else f'REACHED {n}')",
        End::Refused,
    ),
    Attack::new(
        "print a gigabyte",
        "part = b'0123456789abcde\\n' * 65_536\nfor _ in range(1024): os.write(1, part)",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "print a line that does not end",
        "while True: os.write(1, b'x' * 65_536)",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "print on both streams and in every process",
        "for _ in range(8):\n    if os.fork() == 0:\n        while True:\n            os.write(1, b'out\\n' * 1000)\n            os.write(2, b'\\x1b[2Jerr\\xff\\n' * 1000)\ntime.sleep(30)",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "compute without end in one call",
        "(1 << (1 << 32)) ** 1000",
        End::Ends(&[StepStatus::Timeout, StepStatus::OutOfMemory, StepStatus::Error]),
    )
    .within(1.0)
    .against(MEMORY),
    Attack::new(
        "match without end",
        "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "unpack a bomb",
        "import io, zipfile\nmade = io.BytesIO()\nwith zipfile.ZipFile(made, 'w', zipfile.ZIP_DEFLATED) as packed:\n    for n in range(20): packed.writestr(f'{n}', b'\\0' * (8 << 20))\ntry: zipfile.ZipFile(made).extractall('output/bomb')\nexcept OSError as error: print(error.strerror)\nremoved = subprocess.run(['rm', '-rf', 'output/bomb'], check=True)",
        End::Prints("No space left on device\n"),
    )
    .against(&[Limit::Output]),
];
