//! What is left in `output/` for the host to fall over.

use assay_sandbox::StepStatus;

use crate::attack::{Attack, End};

const NOT_ORDINARY: &str = "it is not an ordinary file";
const NOT_UTF8: &str = "its name is not valid UTF-8";

pub(crate) const ATTACKS: &[Attack] = &[
    Attack::new(
        "leave links to the host's files",
        "os.symlink('/etc/passwd', 'output/a.csv')\nos.symlink('HOST_FOLDER/secret.txt', 'output/b.csv')\nos.symlink('../../etc/passwd', 'output/c.csv')\nos.symlink('/', 'output/d')\nos.symlink('e', 'output/e')",
        End::Leaves(
            &[],
            &[
                ("output/a.csv", NOT_ORDINARY),
                ("output/b.csv", NOT_ORDINARY),
                ("output/c.csv", NOT_ORDINARY),
                ("output/d", NOT_ORDINARY),
                ("output/e", NOT_ORDINARY),
            ],
        ),
    ),
    Attack::new(
        "leave pipes and sockets",
        "os.mkfifo('output/pipe.csv')\nsocket.socket(socket.AF_UNIX).bind('output/socket.csv')",
        End::Leaves(&[], &[("output/pipe.csv", NOT_ORDINARY), ("output/socket.csv", NOT_ORDINARY)]),
    ),
    Attack::new(
        "leave one file under two names",
        "open('output/one.csv', 'w').write('a,b')\nos.link('output/one.csv', 'output/two.csv')\nrefused(lambda: os.link('/etc/passwd', 'output/three.csv'))\nrefused(lambda: os.link('work', 'output/four'))",
        End::Leaves(&["output/one.csv", "output/two.csv"], &[]),
    ),
    Attack::new(
        "leave a name that is not UTF-8",
        "for name in (b'bad\\xff.csv', b'\\xc0\\xaf', b'\\xed\\xa0\\x80'):\n    open(b'output/' + name, 'w').write('x')",
        End::Leaves(
            &[],
            &[
                ("output/bad\\xff.csv", NOT_UTF8),
                ("output/\\xc0\\xaf", NOT_UTF8),
                ("output/\\xed\\xa0\\x80", NOT_UTF8),
            ],
        ),
    ),
    Attack::new(
        "leave names that other systems stumble over",
        "for name in ('line\\nbreak.csv', 'quo\"te\\'s.csv', '🙂.csv', '-rf', '...', 'CON', 'aux.csv', 'a:b', 'back\\\\slash', 'end.', ' ', '\\u202egpj.csv', '\\x1b[31m', 'A.csv', 'a.csv', 'é.csv', 'e\\u0301.csv', '~', '$HOME', '<script>'):\n    open('output/' + name, 'w').write('x')",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "leave names of 255 bytes and deep paths",
        "open('output/' + 'n' * 255, 'w').write('x')\nopen('output/' + 'é' * 127, 'w').write('x')\npath = 'output'\nfor _ in range(15):\n    path += '/' + 'd' * 250\n    os.mkdir(path)\nopen(path + '/end.csv', 'w').write('x')",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "leave a file of a terabyte without content",
        "open('output/sparse.bin', 'w').truncate(1 << 40)\nprint(os.path.getsize('output/sparse.bin'))",
        End::Prints("1099511627776\n"),
    ),
    Attack::new(
        "leave a packed bomb",
        "import zipfile\nwith zipfile.ZipFile('output/bomb.zip', 'w', zipfile.ZIP_DEFLATED) as packed:\n    for n in range(4): packed.writestr('../' * n + f'{n}.csv', b'\\0' * (16 << 20))",
        End::Leaves(&["output/bomb.zip"], &[]),
    ),
    Attack::new(
        "leave files that nobody may read",
        "open('output/locked.csv', 'w').write('x')\nos.chmod('output/locked.csv', 0)\nos.mkdir('output/locked')\nopen('output/locked/in.csv', 'w').write('x')\nos.chmod('output/locked', 0)\nprint('locked')",
        End::Leaves(&["output/locked.csv"], &[]),
    ),
    Attack::new(
        "lay a pipe where the supervisor writes",
        "for n in range(400):\n    for stream in ('stdout', 'stderr'): os.mkfifo(f'work/step_{n:02d}_{stream}.txt')\nos.write(1, b'x' * (1 << 20))",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "lay links where the supervisor writes",
        "for n in range(400):\n    for stream in ('stdout', 'stderr'):\n        name = f'work/step_{n:02d}_{stream}.txt'\n        os.symlink('/proc/self/mem' if n % 2 else 'HOST_FOLDER/secret.txt', name)\nos.write(1, b'x' * (1 << 20))",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "lay folders where the supervisor writes",
        "for n in range(400):\n    for stream in ('stdout', 'stderr'):\n        name = f'work/step_{n:02d}_{stream}.txt'\n        os.mkdir(name)\nos.write(1, b'x' * (1 << 20))",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "leave more names than a message holds",
        "path = 'output'\nfor n in range(15):\n    path += '/' + chr(1) * 250\n    os.mkdir(path)\nfor n in range(1500): open(f'{path}/{n}', 'w').close()",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "exchange folders for links while they are looked at",
        "if os.fork() == 0:\n    os.setsid()\n    os.makedirs('output/real', exist_ok=True)\n    open('output/real/passwd', 'w').write('own')\n    end = time.time() + 3\n    while time.time() < end:\n        try:\n            os.rename('output/real', 'output/swap'); os.symlink('/etc', 'output/real')\n            os.remove('output/real'); os.rename('output/swap', 'output/real')\n        except OSError: pass\n    os._exit(0)\ntime.sleep(0.2)",
        End::Ends(&[StepStatus::Ok]),
    ),
    Attack::new(
        "delete everything that is to be looked at",
        "import shutil\nfor folder in ('output', 'work', '/tmp'):\n    shutil.rmtree(folder, ignore_errors=True)\nprint(os.path.isdir('output'))",
        End::Prints("True\n"),
    ),
];
