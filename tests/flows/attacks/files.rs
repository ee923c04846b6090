//! Reading and writing what is not the run's own.

use crate::attack::{Attack, End};

pub(crate) const ATTACKS: &[Attack] = &[
    Attack::new(
        "read the host's files",
        "for path in ('HOST_FOLDER/secret.txt', '/workspace/../../../..HOST_FOLDER/secret.txt', '/proc/1/root/HOST_FOLDER/secret.txt', '/proc/1/cwd/secret.txt'):\n    refused(lambda: open(path).read())\nrefused(lambda: os.listdir('HOST_FOLDER'))",
        End::Refused,
    ),
    Attack::new(
        "write the host's files",
        "for path in ('HOST_FOLDER/secret.txt', 'HOST_FOLDER/new.txt', '../../..HOST_FOLDER/new.txt'):\n    refused(lambda: open(path, 'w'))\nrefused(lambda: os.remove('HOST_FOLDER/precious.csv'))",
        End::Refused,
    ),
    Attack::new(
        "read what only root may read",
        "for path in ('/etc/shadow', '/etc/gshadow', '/proc/kcore', '/proc/kmsg', '/dev/mem', '/dev/kmsg', '/dev/port', '/proc/sysrq-trigger'):\n    refused(lambda: open(path, 'rb').read(16))\nrefused(lambda: os.listdir('/root'))",
        End::Refused,
    ),
    Attack::new(
        "use the devices of the host",
        "for name in ('sda', 'vda', 'nvme0n1', 'kvm', 'fuse', 'loop-control', 'net/tun', 'uinput', 'input/event0', 'dri/card0', 'snd/timer', 'vhost-net', 'vsock'):\n    refused(lambda: os.open('/dev/' + name, os.O_RDWR))",
        End::Refused,
    ),
    Attack::new(
        "read the environment of the app",
        "found = [name for name in ('ASSAY_CANARY_SECRET', 'CARGO_MANIFEST_DIR', 'DOCKER_HOST', 'SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS') if name in os.environ]\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n    try: found += [pid] * (b'ASSAY_CANARY' in open(f'/proc/{pid}/environ', 'rb').read())\n    except OSError: pass\nprint(found)",
        End::Prints("[]\n"),
    ),
    Attack::new(
        "see the processes of the host",
        "seen = []\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n    try: seen += [pid] * (b'3600' in open(f'/proc/{pid}/cmdline', 'rb').read())\n    except OSError: pass\nprint(seen, len(list(filter(str.isdigit, os.listdir('/proc')))) < 8)",
        End::Prints("[] True\n"),
    ),
    Attack::new(
        "talk to a container engine",
        "for path in ('/var/run/docker.sock', '/run/docker.sock', '/run/podman/podman.sock', '/run/containerd/containerd.sock', '/run/user/1000/docker.sock', '/run/user/1000/bus', '/run/dbus/system_bus_socket', '/run/systemd/private'):\n    refused(lambda: socket.socket(socket.AF_UNIX).connect(path))",
        End::Refused,
    ),
    Attack::new(
        "write outside of output and work",
        "for folder in ('/', '/etc', '/usr/lib', '/usr/local/bin', '/opt', '/var/tmp', '/var/log', '/run', '/home', '/dev', '/dev/mqueue', '/mnt', '/srv', '/workspace', '/workspace/input', '/proc', '/sys'):\n    refused(lambda: open(folder + '/assay-attack', 'w'))",
        End::Refused,
    ),
    Attack::new(
        "change the inputs",
        "def replace():\n    os.rename('input', 'old')\nfor call in (lambda: open('input/table.csv', 'a'), lambda: os.remove('input/table.csv'), lambda: os.chmod('input/table.csv', 0o777), lambda: os.utime('input/table.csv'), lambda: os.truncate('input/table.csv', 0), lambda: os.link('input/table.csv', 'work/same'), replace):\n    refused(call)",
        End::Refused,
    ),
    Attack::new(
        "set the system's own parameters",
        "for path in ('kernel/core_pattern', 'kernel/hostname', 'kernel/modprobe', 'vm/overcommit_memory', 'net/ipv4/ip_forward', 'fs/binfmt_misc/register'):\n    refused(lambda: overwrite('/proc/sys/' + path))\nfor path in ('/sys/kernel/uevent_helper', '/sys/power/state', '/proc/self/uid_map', f'/proc/{supervisor}/oom_score_adj'):\n    refused(lambda: overwrite(path))",
        End::Refused,
    ),
    Attack::new(
        "lift the limits of the control group",
        "tried = 0\nfor folder, folders, files in os.walk('/sys/fs/cgroup'):\n    for name in set(files) & {'memory.limit_in_bytes', 'memory.max', 'pids.max', 'cpu.max', 'cpu.cfs_quota_us', 'cgroup.procs', 'release_agent', 'devices.allow', 'notify_on_release'}:\n        tried += 1\n        refused(lambda: overwrite(os.path.join(folder, name)))\n    folders[:] = folders[:40] if tried < 200 else []\nrefused(lambda: os.mkdir('/sys/fs/cgroup/attack'))",
        End::Refused,
    ),
    Attack::new(
        "look into the supervisor",
        "for name in ('environ', 'mem', 'maps', 'stack', 'auxv'):\n    refused(lambda: open(f'/proc/{supervisor}/{name}', 'rb').read(16))\nfor name in ('fd/0', 'fd/1', 'exe', 'root', 'cwd'):\n    refused(lambda: os.readlink(f'/proc/{supervisor}/{name}'))\nrefused(lambda: os.listdir(f'/proc/{supervisor}/fd'))",
        End::Refused,
    ),
    Attack::new(
        "replace the program that runs it",
        "for path in ('/proc/self/exe', sys.executable, os.path.realpath(sys.executable)):\n    refused(lambda: open(path, 'r+b'))\nrefused(lambda: os.rename(sys.executable, 'work/python'))",
        End::Refused,
    ),
    Attack::new(
        "find a folder of the host left open",
        "found = []\nfor fd in os.listdir('/proc/self/fd'):\n    try: found += [fd] * (os.path.isdir(f'/proc/self/fd/{fd}/..'))\n    except OSError: pass\nprint(found, os.path.realpath('/proc/self/cwd') == os.getcwd())",
        End::Prints("[] True\n"),
    ),
    Attack::new(
        "find the canary by any path",
        "found = []\nfor folder, folders, files in os.walk('/'):\n    if folder in ('/proc', '/sys', '/usr', '/opt'): folders[:] = []\n    found += [name for name in folders + files if name.startswith('assay-canary')]\nprint(found)",
        End::Prints("[]\n"),
    ),
];
