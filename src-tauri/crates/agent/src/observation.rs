//! What the model reads of a step: bounded text, no image bytes, no path of the host.

use std::fmt::Write;

use assay_sandbox::{Captured, FileChange, StepError, StepOutcome, StepStatus};

/// Characters of standard output: from its beginning and its end.
const STDOUT_CHARS: (usize, usize) = (5000, 3000);
/// Characters of standard error.
const STDERR_CHARS: (usize, usize) = (1200, 800);
/// Characters of an error's message, from its beginning and its end.
const ERROR_CHARS: (usize, usize) = (1200, 400);
/// Lines of the model's own code that an error passed through.
const LINES_NAMED: usize = 6;
/// Files named in one observation.
const FILES_NAMED: usize = 30;
/// A run of this many base64 characters is data, not text.
const BASE64_RUN: usize = 400;

/// The observation of a step. Its first line is `status: ok|error|timeout|interrupted|killed`, its last one
/// the hint, where there is one.
pub(crate) fn observe(outcome: &StepOutcome, hint: Option<&str>) -> String {
    let mut text = format!("status: {}\n", status_word(outcome.status));
    if let Some(reason) = reason(outcome) {
        let _ = writeln!(text, "{reason}");
    }
    if outcome.restarted {
        text.push_str(
            "Python was started anew: all variables and imports are gone, the files are still there.\n",
        );
    }
    if let Some(code) = outcome.exit_code {
        let _ = writeln!(text, "exit code: {code}");
    }
    write_files(&mut text, &outcome.changed);
    for file in &outcome.refused {
        let _ = writeln!(text, "not usable as an artifact: {} ({})", file.path, file.reason);
    }
    write_stream(&mut text, "output", &outcome.stdout, STDOUT_CHARS);
    write_stream(&mut text, "messages on standard error", &outcome.stderr, STDERR_CHARS);
    if let Some(error) = &outcome.error {
        write_error(&mut text, error);
    }
    if let Some(hint) = hint {
        let _ = writeln!(text, "hint: {hint}");
    }
    text.truncate(text.trim_end().len());
    text
}

fn status_word(status: StepStatus) -> &'static str {
    match status {
        StepStatus::Ok => "ok",
        StepStatus::Error => "error",
        StepStatus::Timeout => "timeout",
        StepStatus::Interrupted => "interrupted",
        StepStatus::OutOfMemory | StepStatus::Exited | StepStatus::Crashed => "killed",
    }
}

fn reason(outcome: &StepOutcome) -> Option<String> {
    let seconds = outcome.duration_ms / 1000.0;
    match outcome.status {
        StepStatus::Ok | StepStatus::Error => None,
        StepStatus::Timeout => Some(format!(
            "The step was ended after {seconds:.0} s, its time limit. Do less at once: a sample, fewer columns, a faster method."
        )),
        StepStatus::Interrupted => Some("The step was stopped by the person.".into()),
        StepStatus::OutOfMemory => {
            let said = outcome.message.as_deref().unwrap_or("The step used up the sandbox's memory.");
            Some(format!(
                "{said} The same code would again: read fewer columns, work in chunks, or use a sample."
            ))
        }
        StepStatus::Exited => Some("The code ended its own process.".into()),
        StepStatus::Crashed => Some(match &outcome.message {
            Some(message) => format!("The Python process was lost: {message}."),
            None => "The Python process crashed.".into(),
        }),
    }
}

fn write_files(text: &mut String, changed: &[FileChange]) {
    for file in changed.iter().take(FILES_NAMED) {
        let word = if file.new { "new file" } else { "changed file" };
        let _ = writeln!(text, "{word}: {} ({} bytes)", file.path, file.size);
    }
    if changed.len() > FILES_NAMED {
        let _ = writeln!(text, "and {} more files", changed.len() - FILES_NAMED);
    }
}

fn write_stream(text: &mut String, name: &str, captured: &Captured, limits: (usize, usize)) {
    let joined = if captured.tail.is_empty() && captured.skipped_bytes == 0 {
        captured.head.clone()
    } else {
        format!("{}\n[... {} bytes left out ...]\n{}", captured.head, captured.skipped_bytes, captured.tail)
    };
    let cleaned = without_data(joined.trim_end());
    if cleaned.is_empty() {
        return;
    }
    let _ = writeln!(text, "--- {name}\n{}", shortened(&cleaned, limits));
    if let Some(path) = &captured.full_text {
        let _ = writeln!(text, "(The whole text is in {path}; print less.)");
    }
}

/// What Python says, and where in the model's own code: what libraries do inside is of no use to it.
fn write_error(text: &mut String, error: &StepError) {
    let traceback = without_data(error.traceback.trim_end());
    let lines: Vec<&str> = traceback.lines().collect();
    let is_frame = |line: &str| line.starts_with("  File \"");
    // A frame is its place, its code where that is at hand, and marks below it, all of them indented.
    let message = match error.kind.as_str() {
        // Their place in the code is part of the message.
        "SyntaxError" | "IndentationError" | "TabError" => lines.iter().rposition(|line| is_frame(line)),
        _ => lines.iter().rposition(|line| line.starts_with("    ") || is_frame(line)).map(|last| last + 1),
    };
    let message = message.unwrap_or(0);
    text.push_str("--- error\n");
    let _ = writeln!(text, "{}", shortened(&lines[message..].join("\n"), ERROR_CHARS));
    let own: Vec<String> = lines[..message]
        .windows(2)
        .filter(|pair| pair[0].starts_with("  File \"<step ") && pair[1].starts_with("    "))
        .filter_map(|pair| {
            let line = pair[0].split(", line ").nth(1)?.split(',').next()?;
            Some(format!("in line {line}: {}", pair[1].trim()))
        })
        .collect();
    for line in &own[own.len().saturating_sub(LINES_NAMED)..] {
        let _ = writeln!(text, "{line}");
    }
}

/// Head and tail of a long text, with the number of characters left out between them.
pub(crate) fn shortened(text: &str, (head, tail): (usize, usize)) -> String {
    let count = text.chars().count();
    if count <= head + tail {
        return text.to_owned();
    }
    let first: String = text.chars().take(head).collect();
    format!("{first}\n[... {} characters left out ...]\n{}", count - head - tail, last_chars(text, tail))
}

fn last_chars(text: &str, count: usize) -> String {
    let skip = text.chars().count().saturating_sub(count);
    text.chars().skip(skip).collect()
}

/// Replaces long runs of base64, such as an image printed as text, by a short mark.
pub(crate) fn without_data(text: &str) -> String {
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_base64) {
        let run = rest[start..].find(|c| !is_base64(c)).unwrap_or(rest.len() - start);
        out.push_str(&rest[..start]);
        let data = &rest[start..start + run];
        if run >= BASE64_RUN && is_mixed(data) {
            let _ = write!(out, "[{run} characters of data removed]");
        } else {
            out.push_str(data);
        }
        rest = &rest[start + run..];
    }
    out.push_str(rest);
    out
}

/// Data has upper case, lower case and digits; a long number or a row of one letter is text.
fn is_mixed(data: &str) -> bool {
    let has = |test: fn(&char) -> bool| data.chars().any(|c| test(&c));
    has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase) && has(char::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use assay_sandbox::RefusedFile;

    use super::*;

    fn outcome(status: StepStatus) -> StepOutcome {
        StepOutcome {
            step: 3,
            status,
            duration_ms: 1200.0,
            stdout: Captured::default(),
            stderr: Captured::default(),
            error: None,
            exit_code: None,
            message: None,
            changed: Vec::new(),
            removed: Vec::new(),
            refused: Vec::new(),
            restarted: false,
            tables: Vec::new(),
        }
    }

    #[test]
    fn an_observation_names_status_files_output_and_error_in_that_order() {
        let observed = StepOutcome {
            stdout: Captured { head: "rows 8760\n".into(), ..Captured::default() },
            stderr: Captured { head: "a warning\n".into(), ..Captured::default() },
            error: Some(StepError {
                kind: "KeyError".into(),
                message: "'x'".into(),
                traceback: "  File \"<step 3>\", line 2, in <module>\n    df['x'].sum()\n    ~~^^^^^\n  File \"/usr/lib/python3/pandas/frame.py\", line 9, in get\n    raise KeyError(key)\nKeyError: 'x'\n".into(),
                line: Some(2),
                advice: None,
            }),
            changed: vec![FileChange { path: "output/report.md".into(), size: 12, new: true }],
            refused: vec![RefusedFile {
                path: "output/link".into(),
                reason: "it is not an ordinary file".into(),
            }],
            ..outcome(StepStatus::Error)
        };
        let observed = observe(&observed, Some("There is `y`."));
        insta::assert_snapshot!(observed, @r#"
        status: error
        new file: output/report.md (12 bytes)
        not usable as an artifact: output/link (it is not an ordinary file)
        --- output
        rows 8760
        --- messages on standard error
        a warning
        --- error
        KeyError: 'x'
        in line 2: df['x'].sum()
        hint: There is `y`.
        "#);
    }

    #[test]
    fn field_067_a_lost_kernel_is_explained() {
        let observed = observe(&StepOutcome { restarted: true, ..outcome(StepStatus::OutOfMemory) }, None);
        insta::assert_snapshot!(observed, @r"
        status: killed
        The step used up the sandbox's memory. The same code would again: read fewer columns, work in chunks, or use a sample.
        Python was started anew: all variables and imports are gone, the files are still there.
        ");
    }

    #[test]
    fn field_093_an_observation_is_bounded() {
        let long = Captured {
            head: "é".repeat(40_000),
            tail: "z".repeat(16_000),
            skipped_bytes: 1_000_000,
            full_text: Some("work/step_03_stdout.txt".into()),
        };
        let observed =
            observe(&StepOutcome { stdout: long.clone(), stderr: long, ..outcome(StepStatus::Ok) }, None);
        assert!(observed.chars().count() < 10_800, "{}", observed.chars().count());
        assert!(observed.contains("work/step_03_stdout.txt"));
    }

    #[test]
    fn field_052_an_image_printed_as_text_does_not_reach_the_model() {
        let picture: String = "iVBORw0KGgoAAAANSUhEUgAA9k3".repeat(40);
        let text = format!("before data:image/png;base64,{picture}\nafter {}", "7".repeat(500));
        assert_eq!(
            without_data(&text),
            format!(
                "before data:image/png;base64,[{} characters of data removed]\nafter {}",
                picture.len(),
                "7".repeat(500)
            )
        );
    }
}
