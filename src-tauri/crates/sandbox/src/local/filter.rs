//! Which system calls the code may not make, as a program for the kernel (seccomp).

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// Calls that no analysis makes and through which a system is attacked: much the list of the Docker engine.
const FORBIDDEN: [i64; 56] = [
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    // Its flags lie in memory, where a filter cannot look. Libraries then use `clone`, whose flags can be seen.
    libc::SYS_clone3,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_get_mempolicy,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kcmp,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_mbind,
    libc::SYS_memfd_secret,
    libc::SYS_migrate_pages,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_move_pages,
    libc::SYS_name_to_handle_at,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_personality,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_set_mempolicy,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_userfaultfd,
];

/// Memory that neither a process nor a folder accounts for, so only a control group sees it.
const UNCOUNTED_MEMORY: [i64; 2] = [libc::SYS_memfd_create, libc::SYS_shmget];

/// New namespaces, whichever call asks for them.
const NEW_NAMESPACES: [i32; 8] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    // A time namespace.
    0x80,
];

/// The kinds of socket that can be made. Others reach the kernel's rarer corners, or the computer that this one
/// runs on.
const SOCKETS: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Added to a call's number by programs of the x32 kind, which the kernel may also run.
const X32: i64 = 0x4000_0000;

/// How a session's memory is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counting {
    /// By a control group: all of it.
    Whole,
    /// By looking at processes and folders.
    Seen,
}

/// The filter, as `bwrap --seccomp` reads it.
pub(super) fn filter(counting: Counting) -> std::io::Result<Vec<u8>> {
    let program = compile(counting).map_err(std::io::Error::other)?;
    let bytes = program.iter().flat_map(|line| {
        let mut bytes = [0; 8];
        bytes[..2].copy_from_slice(&line.code.to_ne_bytes());
        bytes[2..4].copy_from_slice(&[line.jt, line.jf]);
        bytes[4..].copy_from_slice(&line.k.to_ne_bytes());
        bytes
    });
    Ok(bytes.collect())
}

fn compile(counting: Counting) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = FORBIDDEN.map(|call| (call, Vec::new())).into();
    if counting == Counting::Seen {
        rules.extend(UNCOUNTED_MEMORY.map(|call| (call, Vec::new())));
    }
    let argument = |place, operator, value| {
        SeccompCondition::new(place, SeccompCmpArgLen::Dword, operator, u64::from(value))
    };
    for call in [libc::SYS_clone, libc::SYS_unshare] {
        for flag in NEW_NAMESPACES.map(i32::cast_unsigned) {
            // The low byte of `clone` is a signal's number, not a flag.
            if call == libc::SYS_clone && flag <= 0xff {
                continue;
            }
            let rule = SeccompRule::new(vec![argument(0, SeccompCmpOp::MaskedEq(u64::from(flag)), flag)?])?;
            rules.entry(call).or_default().push(rule);
        }
    }
    let other_kind = SOCKETS
        .iter()
        .map(|kind| argument(0, SeccompCmpOp::Ne, kind.cast_unsigned()))
        .collect::<Result<Vec<_>, _>>()?;
    let raw = argument(1, SeccompCmpOp::MaskedEq(0xf), libc::SOCK_RAW.cast_unsigned())?;
    // Questions about the interfaces are asked over a raw socket of this kind.
    let no_question = argument(0, SeccompCmpOp::Ne, libc::AF_NETLINK.cast_unsigned())?;
    rules.insert(
        libc::SYS_socket,
        vec![SeccompRule::new(other_kind)?, SeccompRule::new(vec![raw, no_question])?],
    );
    // Characters put into a terminal as if they were typed.
    let typed = argument(1, SeccompCmpOp::Eq, 0x5412)?;
    rules.insert(libc::SYS_ioctl, vec![SeccompRule::new(vec![typed])?]);
    if cfg!(target_arch = "x86_64") {
        let again: Vec<_> = rules.iter().map(|(call, rule)| (call | X32, rule.clone())).collect();
        rules.extend(again);
    }
    // A call that is not there is what libraries are ready to do without.
    let refused = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, refused, std::env::consts::ARCH.try_into()?)?.try_into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_takes_programs_of_at_most_4096_lines() {
        let [whole, seen] = [Counting::Whole, Counting::Seen].map(|counting| filter(counting).unwrap().len());
        assert!(whole < seen && seen / 8 <= 4096, "{whole} {seen}");
        assert_eq!(whole % 8, 0);
    }
}
