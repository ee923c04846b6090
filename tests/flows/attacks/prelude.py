# What each attempt begins with: a way to try something and say what came of it, and raw system calls.
import ctypes, os, platform, signal, socket, struct, subprocess, sys, threading, time

libc = ctypes.CDLL(None, use_errno=True)
supervisor = os.getppid()

# Numbers on x86-64 and on aarch64; those of newer calls are one and the same.
NUMBERS = {
    "acct": (163, 89), "add_key": (248, 217), "bpf": (321, 280), "capset": (126, 91), "chroot": (161, 51),
    "clock_settime": (227, 112), "clone": (56, 220), "clone3": (435, 435), "finit_module": (313, 273),
    "fsopen": (430, 430), "init_module": (175, 105), "io_uring_setup": (425, 425), "iopl": (172, -1),
    "kcmp": (312, 272), "kexec_load": (246, 104), "keyctl": (250, 219), "modify_ldt": (154, -1), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "open_tree": (428, 428), "perf_event_open": (298, 241),
    "personality": (135, 92), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434), "pivot_root": (155, 41),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117), "quotactl": (179, 60),
    "reboot": (169, 142), "request_key": (249, 218), "sethostname": (170, 161), "setns": (308, 268),
    "settimeofday": (164, 170), "swapon": (167, 224), "syslog": (103, 116), "umount2": (166, 39),
    "unshare": (272, 97), "userfaultfd": (323, 282),
}


def system_call(name, *arguments):
    number = NUMBERS[name][platform.machine() == "aarch64"]
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *wide)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def refused(call):
    """Says `refused` where the system forbids it at once, and what was reached where it does not."""
    try:
        result = call()
    except TimeoutError:
        print("nobody answered")
    except OSError:
        print("refused")
    else:
        print("REACHED", repr(result)[:200])


def overwrite(path, text="0"):
    fd = os.open(path, os.O_WRONLY)
    try:
        return os.write(fd, text.encode())
    finally:
        os.close(fd)


def ends(call):
    """The exit code of `call` in a process of its own, negative for a signal."""
    child = os.fork()
    if not child:
        try:
            call()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def channel():
    """The descriptor of the socket between the kernel and the supervisor."""
    return next(fd for fd in map(int, os.listdir("/proc/self/fd")) if fd > 2 and is_socket(fd))


def is_socket(fd):
    try:
        return os.readlink(f"/proc/self/fd/{fd}").startswith("socket:")
    except OSError:
        return False


def write(data):
    os.write(channel(), data)


def answer(message):
    """Says something to the supervisor in the kernel's stead."""
    import json

    text = json.dumps(message).encode()
    write(struct.pack(">I", len(text)) + text)


