//! Speaking for the supervisor or for another step, and breaking the ways between the processes.

use assay_sandbox::{Limit, StepStatus};

use crate::attack::{Attack, End};

const CHANNEL: &str = "the code wrote into its own control channel";
const CLOSED: &str = "the code closed its own control channel";
const OTHER_STEP: &str = "the code answered for another step";
const LOST: &[StepStatus] = &[StepStatus::Crashed, StepStatus::Exited];

pub(crate) const ATTACKS: &[Attack] = &[
    Attack::new(
        "print a frame",
        "frame = b'{\"event\":\"done\",\"step\":1}'\nos.write(1, struct.pack('>II', len(frame), 0) + frame)\nos.write(2, struct.pack('>II', 0xFFFFFFFF, 0xFFFFFFFF))",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "speak with the supervisor's own functions",
        "frames = sys.modules['assay_frames']\nframes.send({'event': 'done', 'step': STEP, 'status': 'ok'})\nframes.HOST_OUT = 0\nrefused(lambda: frames.send({'event': 'ready', 'python': '3'}))",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "write into everything that is open",
        "for fd in range(3, 256):\n    try: os.write(fd, b'\\xff' * 64)\n    except OSError: pass\ntime.sleep(5)",
        End::Crashes(CHANNEL),
    ),
    Attack::new(
        "close everything that is open",
        "os.closerange(0, 256)\ntime.sleep(5)",
        End::Crashes(CLOSED),
    ),
    Attack::new(
        "answer for a step that does not run",
        "answer({'op': 'done', 'step': 99_999, 'ok': True, 'error': None})\ntime.sleep(5)",
        End::Crashes(OTHER_STEP),
    ),
    Attack::new(
        "answer in another form",
        "answer({'op': 'done', 'step': STEP, 'ok': False, 'error': 'x'})\ntime.sleep(5)",
        End::Crashes(CHANNEL),
    ),
    Attack::new("answer with a list", "answer([])\ntime.sleep(5)", End::Crashes(CHANNEL)),
    Attack::new(
        "answer with numbers that are none",
        "answer({'op': 'done', 'step': STEP, 'ok': False, 'error': {'line': float('inf')}})\ntime.sleep(0.2)",
        End::Raises(""),
    ),
    Attack::new(
        "answer with a line beyond all lines",
        "answer({'op': 'done', 'step': STEP, 'ok': False, 'error': {'kind': 'K', 'line': 1 << 70}})\ntime.sleep(0.2)",
        End::Raises("K"),
    ),
    Attack::new(
        "answer with a line before the first",
        "answer({'op': 'done', 'step': STEP, 'ok': False, 'error': {'kind': 'K', 'line': -1}})\ntime.sleep(0.2)",
        End::Raises("K"),
    ),
    Attack::new(
        "answer with text that is no text",
        "answer({'op': 'done', 'step': STEP, 'ok': False, 'error': {'kind': '\\ud800', 'message': '\\udfff\\0\\x1b[2J', 'traceback': [1]}, 'tables': [{'kind': 'other', 'rows_after': 1, 'code': '\\ud800'}]})\ntime.sleep(0.2)",
        End::Raises("?"),
    ),
    Attack::new(
        "answer without end",
        "text = b'[' * 200_000\nwrite(struct.pack('>I', len(text)) + text)\ntime.sleep(5)",
        End::Crashes(CHANNEL),
    ),
    Attack::new(
        "announce four gigabytes",
        "write(b'\\xff\\xff\\xff\\xff')\ntime.sleep(5)",
        End::Crashes(CHANNEL),
    ),
    Attack::new(
        "announce more than comes",
        "write(struct.pack('>I', 1 << 19) + b'{')",
        End::Ends(&[StepStatus::Crashed, StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "begin again and again, to have more time",
        "while True:\n    answer({'op': 'started', 'step': STEP})\n    time.sleep(0.2)",
        End::Crashes(CHANNEL),
    )
    .within(1.0),
    Attack::new(
        "answer and go on",
        "answer({'op': 'done', 'step': STEP, 'ok': True, 'error': None})\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "fill the channel and do not read it",
        "def noise():\n    while True: answer({'op': 'started', 'step': 0, 'x': 'x' * 10_000})\nthreading.Thread(target=noise, daemon=True).start()\ntime.sleep(5)",
        End::Crashes(OTHER_STEP),
    ),
    Attack::new(
        "give the channel to a process that outlives it",
        "fd = os.dup(channel())\nchild = libc.fork()\nif child == 0:\n    libc.setsid()\n    libc.sleep(30)\n    libc._exit(0)\nos._exit(0)",
        End::Ends(LOST),
    ),
    Attack::new(
        "write where the supervisor speaks to the host",
        "for path in (f'/proc/{supervisor}/fd/0', f'/proc/{supervisor}/fd/1', f'/proc/{supervisor}/fd/2', '/dev/pts/0', '/dev/console'):\n    refused(lambda: os.write(os.open(path, os.O_RDWR), b'\\xff' * 64))",
        End::Refused,
    ),
    Attack::new(
        "kill the supervisor",
        "for number in range(1, 65):\n    for pid in {1, supervisor}:\n        try: os.kill(pid, number)\n        except OSError: pass\nprint('sent')",
        End::Prints("sent\n"),
    ),
    Attack::new(
        "kill everything",
        "try: os.kill(-1, 9)\nexcept ProcessLookupError: print('alone')",
        End::Prints("alone\n"),
    ),
    Attack::new("stop itself", "os.kill(os.getpid(), signal.SIGSTOP)", End::Ends(&[StepStatus::Timeout]))
        .within(1.0),
    Attack::new(
        "signal the supervisor without end",
        "while True:\n    for number in (signal.SIGCHLD, signal.SIGALRM, signal.SIGUSR1, signal.SIGPIPE): os.kill(supervisor, number)",
        End::Ends(&[StepStatus::Timeout]),
    )
    .within(1.0),
    Attack::new(
        "stop itself when the step is over",
        "subprocess.Popen(['sh', '-c', f'sleep 0.1; kill -STOP {os.getpid()}'])",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "give the supervisor children to bury",
        "for _ in range(25):\n    if os.fork() == 0:\n        if os.fork() == 0: os._exit(0)\n        os._exit(0)\nprint('made')",
        End::Prints("made\n"),
    ),
    Attack::new(
        "lower the supervisor's limits",
        "import resource\nfor name, value in (('NOFILE', 3), ('CPU', 0), ('AS', 4096), ('FSIZE', 0)):\n    try: resource.prlimit(supervisor, getattr(resource, 'RLIMIT_' + name), (value, value))\n    except (OSError, ValueError): print('refused')\n    else: print('REACHED')\ntry: os.setpriority(os.PRIO_PROCESS, supervisor, 19); print('slowed')\nexcept OSError: print('refused')\nfor call in (lambda: os.setpriority(os.PRIO_USER, 0, 19), lambda: os.sched_setscheduler(supervisor, os.SCHED_IDLE, os.sched_param(0))): refused(call)",
        End::Refused,
    )
    .against(&[Limit::Seccomp]),
];
