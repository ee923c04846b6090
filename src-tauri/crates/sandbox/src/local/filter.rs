//! Which system calls the code may make, as a program for the kernel (seccomp): those of the profile that engines are
//! given.

use seccompiler::{BpfProgram, Error, compile_from_json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::policy::Seccomp;

/// What the way to the supervisor takes besides, with the filter in force: root becomes an ordinary user and gives
/// up what it may. The kernel lets nobody gain anything by these.
const TO_BECOME_ORDINARY: [&str; 4] = ["capset", "setgroups", "setresgid", "setresuid"];
/// Memory that neither a process nor a folder accounts for, so only a control group sees it.
const UNCOUNTED_MEMORY: [&str; 1] = ["memfd_create"];
const ALLOW: &str = "SCMP_ACT_ALLOW";

/// How a session's memory is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counting {
    /// By a control group: all of it.
    Whole,
    /// By looking at processes and folders.
    Seen,
}

/// A profile in the form that engines read, as far as it matters here: what it allows.
#[derive(Deserialize)]
struct Profile {
    syscalls: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    action: String,
    names: Vec<String>,
    #[serde(default)]
    args: Vec<Argument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Argument {
    index: u8,
    /// The mask, where one is laid over the argument.
    value: u64,
    value_two: Option<u64>,
    op: String,
}

/// The filter, as `bwrap --seccomp` reads it.
pub(super) fn filter(counting: Counting) -> std::io::Result<Vec<u8>> {
    let program = compile(&mut allowed(counting)?).map_err(std::io::Error::other)?;
    let bytes = program.iter().flat_map(|line| {
        let mut bytes = [0; 8];
        bytes[..2].copy_from_slice(&line.code.to_ne_bytes());
        bytes[2..4].copy_from_slice(&[line.jt, line.jf]);
        bytes[4..].copy_from_slice(&line.k.to_ne_bytes());
        bytes
    });
    Ok(bytes.collect())
}

/// What is allowed, a rule for each call, in the form that the compiler reads.
fn allowed(counting: Counting) -> std::io::Result<Vec<Value>> {
    // Without an engine there is no wider profile to fall back to.
    let profile: Profile = serde_json::from_str(Seccomp::Analysis.profile().unwrap_or_default())?;
    let mut rules: Vec<Value> = TO_BECOME_ORDINARY.iter().map(|name| json!({ "syscall": name })).collect();
    for rule in profile.syscalls.iter().filter(|rule| rule.action == ALLOW) {
        let conditions = rule.args.iter().map(condition).collect::<std::io::Result<Vec<Value>>>()?;
        let names = rule
            .names
            .iter()
            .filter(|name| counting == Counting::Whole || !UNCOUNTED_MEMORY.contains(&name.as_str()));
        // A rule without conditions has no list of them either.
        let conditions = (!conditions.is_empty()).then_some(conditions);
        rules.extend(names.map(|name| json!({ "syscall": name, "args": conditions })));
    }
    Ok(rules)
}

fn condition(argument: &Argument) -> std::io::Result<Value> {
    let (operator, value) = match (argument.op.as_str(), argument.value_two) {
        ("SCMP_CMP_EQ", None) => (json!("eq"), argument.value),
        ("SCMP_CMP_MASKED_EQ", Some(value)) => (json!({ "masked_eq": argument.value }), value),
        (other, _) => return Err(std::io::Error::other(format!("no comparison is known as {other}"))),
    };
    // All of these arguments have 32 bits; what is above them the kernel does not look at.
    Ok(json!({ "index": argument.index, "type": "dword", "op": operator, "val": value }))
}

/// Compiles the rules, and drops those whose calls this kind of processor does not have.
fn compile(rules: &mut Vec<Value>) -> Result<BpfProgram, Error> {
    compile_all(rules).or_else(|_| {
        rules.retain(|rule| compile_all(std::slice::from_ref(rule)).is_ok());
        compile_all(rules)
    })
}

fn compile_all(rules: &[Value]) -> Result<BpfProgram, Error> {
    // A call that is not there is what libraries are ready to do without.
    let filter = json!({
        "mismatch_action": { "errno": libc::ENOSYS }, "match_action": "allow", "filter": rules,
    });
    let text = json!({ "session": filter }).to_string();
    let compiled = compile_from_json(text.as_bytes(), std::env::consts::ARCH.try_into()?)?;
    Ok(compiled.into_iter().next().map(|(_, program)| program).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_takes_programs_of_at_most_4096_lines() {
        let [whole, seen] = [Counting::Whole, Counting::Seen].map(|counting| filter(counting).unwrap().len());
        assert!(seen < whole && whole / 8 <= 4096, "{whole} {seen}");
        assert_eq!(seen % 8, 0);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn no_call_of_the_profile_is_dropped_where_all_of_them_are_there() {
        let mut rules = allowed(Counting::Whole).unwrap();
        let all = rules.len();
        compile(&mut rules).unwrap();
        assert!(all > 200 && rules.len() == all, "{} of {all}", rules.len());
    }
}
