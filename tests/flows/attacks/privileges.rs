//! Becoming more than an ordinary user in a closed room.

use assay_sandbox::Limit;

use crate::attack::{Attack, End};

const SECCOMP: &[Limit] = &[Limit::Seccomp];

pub(crate) const ATTACKS: &[Attack] = &[
    Attack::new(
        "become root",
        "for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setreuid(0, 0), lambda: os.setresuid(0, 0, 0), lambda: os.setresgid(0, 0, 0), lambda: os.setgroups([0]), lambda: os.seteuid(0)):\n    refused(call)",
        End::Refused,
    ),
    Attack::new(
        "become root by a setuid program of the system",
        "found = []\nfor folder in ('/bin', '/usr/bin', '/usr/sbin', '/usr/lib/openssh', '/usr/libexec'):\n    try: names = os.listdir(folder)\n    except OSError: continue\n    for name in names:\n        path = os.path.join(folder, name)\n        try: found += [path] * bool(os.stat(path).st_mode & 0o6000)\n        except OSError: pass\ndef user_after(command):\n    tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=5)\n    return b'uid=0' in tried.stdout\nprint([path for path in found if user_after([path, '-c', 'id'])])",
        End::Prints("[]\n"),
    ),
    Attack::new(
        "make a setuid program",
        "for folder in ('output', 'work', '/tmp', '/dev/shm'):\n    path = folder + '/shell'\n    open(path, 'wb').write(open('/bin/sh', 'rb').read())\n    try: os.chmod(path, 0o6755)\n    except OSError: pass\n    refused(lambda: subprocess.run([path, '-c', 'id'], capture_output=True))\n    os.remove(path)",
        End::Refused,
    )
    .against(&[Limit::Mounts]),
    Attack::new(
        "gain a capability",
        "header = struct.pack('Ii', 0x20080522, 0)\nfull = struct.pack('6I', *[0xFFFFFFFF] * 6)\nrefused(lambda: system_call('capset', header, full))\ndef prctl(*arguments):\n    if libc.prctl(*arguments) == -1: raise OSError(ctypes.get_errno(), '')\nrefused(lambda: prctl(47, 2, 21, 0, 0))  # PR_CAP_AMBIENT_RAISE of CAP_SYS_ADMIN\nrefused(lambda: prctl(38, 0, 0, 0, 0))  # new privileges again\nrefused(lambda: prctl(28, 1, 0, 0, 0))  # PR_SET_SECUREBITS",
        End::Refused,
    ),
    Attack::new(
        "mount something",
        "for call in (lambda: system_call('mount', b'proc', b'/tmp', b'proc', 0, 0), lambda: system_call('mount', b'tmpfs', b'/workspace', b'tmpfs', 0, 0), lambda: system_call('mount', b'/', b'/tmp', 0, 4096, 0), lambda: system_call('mount', 0, b'/', 0, 32, 0), lambda: system_call('umount2', b'/workspace/input', 2), lambda: system_call('umount2', b'/proc/sys', 2), lambda: system_call('fsopen', b'tmpfs', 0), lambda: system_call('open_tree', -100, b'/', 1), lambda: system_call('move_mount', -100, b'/', -100, b'/tmp', 0), lambda: system_call('mount_setattr', -100, b'/', 0, b'\\0' * 32, 32)):\n    refused(call)",
        End::Refused,
    ),
    Attack::new(
        "change the root",
        "refused(lambda: os.chroot('/tmp'))\nrefused(lambda: system_call('pivot_root', b'/tmp', b'/tmp'))",
        End::Refused,
    ),
    Attack::new(
        "make namespaces of its own",
        "for flag in (0x10000000, 0x40000000, 0x20000, 0x20000000, 0x4000000, 0x8000000, 0x2000000, 0x80, 0x10020000):\n    refused(lambda: system_call('unshare', flag))",
        End::Refused,
    )
    .against(SECCOMP),
    Attack::new(
        "be born into namespaces of its own",
        "for flag in (0x10000000, 0x40000000, 0x20000, 0x20000000, 0x4000000, 0x8000000, 0x2000000, 0x7E020000):\n    refused(lambda: system_call('clone', flag | 17, 0, 0, 0, 0))\narguments = struct.pack('8Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0)\nrefused(lambda: system_call('clone3', arguments, len(arguments)))",
        End::Refused,
    )
    .against(SECCOMP),
    Attack::new(
        "enter the namespaces of another",
        "refused(lambda: system_call('setns', os.open('/proc/self/ns/net', os.O_RDONLY), 0))\nfor name in ('net', 'mnt', 'pid', 'user'):\n    refused(lambda: os.open(f'/proc/{supervisor}/ns/{name}', os.O_RDONLY))\nrefused(lambda: system_call('setns', os.pidfd_open(supervisor), 0x20000))",
        End::Refused,
    ),
    Attack::new(
        "trace the supervisor",
        "for request in (16, 0x4206):\n    refused(lambda: system_call('ptrace', request, supervisor, 0, 0))\nbuffer = ctypes.create_string_buffer(16)\nvector = struct.pack('QQ', ctypes.addressof(buffer), 16)\nrefused(lambda: system_call('process_vm_readv', supervisor, vector, 1, struct.pack('QQ', 0x400000, 16), 1, 0))\nrefused(lambda: system_call('process_vm_writev', supervisor, vector, 1, struct.pack('QQ', 0x400000, 16), 1, 0))\nrefused(lambda: system_call('pidfd_getfd', os.pidfd_open(supervisor), 0, 0))\nrefused(lambda: system_call('kcmp', supervisor, os.getpid(), 0, 0, 0))\nrefused(lambda: open(f'/proc/{supervisor}/mem', 'r+b'))",
        End::Refused,
    ),
    Attack::new(
        "trace a process of its own",
        "child = os.fork()\nif not child:\n    time.sleep(30)\n    os._exit(0)\nrefused(lambda: system_call('ptrace', 16, child, 0, 0))\nos.kill(child, 9)\nended = os.waitpid(child, 0)",
        End::Refused,
    )
    .against(SECCOMP),
    Attack::new(
        "use the keys of the system",
        "for keyring in (-1, -2, -3, -4, -5):\n    refused(lambda: system_call('keyctl', 0, keyring, 1))\nrefused(lambda: system_call('add_key', b'user', b'assay', b'x', 1, -3))\nrefused(lambda: system_call('request_key', b'user', b'assay', 0, -3))",
        End::Refused,
    )
    .against(SECCOMP),
    Attack::new(
        "run programs in the system itself",
        "refused(lambda: system_call('bpf', 0, b'\\0' * 72, 72))\nrefused(lambda: system_call('bpf', 5, b'\\0' * 72, 72))\nrefused(lambda: system_call('perf_event_open', b'\\0' * 128, 0, -1, -1, 0))\nrefused(lambda: system_call('io_uring_setup', 4, ctypes.create_string_buffer(120)))\nrefused(lambda: system_call('userfaultfd', 0))",
        End::Refused,
    )
    .against(SECCOMP),
    Attack::new(
        "load a module or another system",
        "refused(lambda: system_call('init_module', b'x', 1, b''))\nrefused(lambda: system_call('finit_module', os.open('/bin/sh', os.O_RDONLY), b'', 0))\nrefused(lambda: system_call('kexec_load', 0, 0, 0, 0))\nrefused(lambda: system_call('reboot', 0xFEE1DEAD, 672274793, 0x1234567, 0))\nrefused(lambda: system_call('swapon', b'/tmp', 0))\nrefused(lambda: system_call('acct', b'/tmp/log'))\nrefused(lambda: system_call('quotactl', 0x80000100, 0, 0, 0))\nrefused(lambda: system_call('syslog', 3, ctypes.create_string_buffer(64), 64))",
        End::Refused,
    ),
    Attack::new(
        "turn the clock and rename the computer",
        "refused(lambda: time.clock_settime(time.CLOCK_REALTIME, 0))\nrefused(lambda: system_call('settimeofday', struct.pack('qq', 1, 0), 0))\nrefused(lambda: system_call('sethostname', b'attack', 6))\nrefused(lambda: socket.sethostname('attack'))",
        End::Refused,
    ),
    Attack::new(
        "open files by their handles",
        "refused(lambda: system_call('open_by_handle_at', -100, struct.pack('II8s', 8, 1, b''), 0))\nrefused(lambda: system_call('name_to_handle_at', -100, b'/etc/hostname', ctypes.create_string_buffer(b'\\x80\\0\\0\\0', 136), ctypes.create_string_buffer(4), 0))",
        End::Refused,
    )
    .against(SECCOMP),
    Attack::new(
        "make devices",
        "for mode, number in ((0o020666, os.makedev(1, 1)), (0o060666, os.makedev(8, 0)), (0o060666, os.makedev(254, 0))):\n    for folder in ('output', 'work', '/tmp'):\n        refused(lambda: os.mknod(folder + '/device', mode, number))",
        End::Refused,
    ),
    Attack::new(
        "go before all others",
        "import resource\nrefused(lambda: os.setpriority(os.PRIO_PROCESS, 0, -10))\nrefused(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))\nfor name in ('NOFILE', 'CORE', 'MSGQUEUE', 'SIGPENDING'):\n    def more():\n        try: resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (1 << 20, 1 << 20))\n        except ValueError as error: raise OSError(str(error))\n    refused(more)",
        End::Refused,
    ),
    Attack::new(
        "change how the processor and the system see it",
        "refused(lambda: system_call('personality', 0x0040000))\nif platform.machine() == 'x86_64':\n    refused(lambda: system_call('iopl', 3))\n    refused(lambda: system_call('modify_ldt', 1, b'\\0' * 16, 16))",
        End::Refused,
    )
    .against(SECCOMP),
    // A filter that knows the calls of 64 bits only would be passed by those of 32 bits.
    Attack::new(
        "call the system as a program of 32 bits does",
        "import mmap\ndef old_way():\n    code = mmap.mmap(-1, 4096, prot=7)\n    code.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')  # getpid by int 0x80\n    address = ctypes.addressof(ctypes.c_char.from_buffer(code))\n    if ctypes.CFUNCTYPE(ctypes.c_int)(address)() > 0: os._exit(0)\n    os._exit(3)\nprint('REACHED' if platform.machine() == 'x86_64' and ends(old_way) == 0 else 'refused')",
        End::Refused,
    )
    .against(SECCOMP),
];
