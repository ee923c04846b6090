//! Fenced blocks of code that stand for a call: the text protocol's own way, and what small models
//! write where they should have made a call.

use serde_json::json;

use crate::answer::Ending;
use crate::answer::arguments::CUT_OFF;
use crate::answer::bare_python::is_plainly_python;
use crate::answer::written_calls::{Recovered, WrittenCall};
use crate::model::{Fence, ToolSpec, ToolUse};

const MARK: &str = "```";

const PYTHON: &str = "python";

/// Other words for Python after an opening fence.
const PYTHON_LABELS: &[&str] = &["py", "python3", "ipython", "tool_code"];

/// The most characters before a block that a model which makes calls may have written for the block to
/// count as one. A report that ends by quoting its code is longer.
const WORDS_BEFORE: usize = 400;

/// A fenced block within a text.
#[derive(Debug, PartialEq)]
struct Block<'a> {
    start: usize,
    label: &'a str,
    content: &'a str,
    after: &'a str,
    end: BlockEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockEnd {
    Closed,
    Open,
}

/// The call that a block, or a text of nothing but code, stands for. By the text protocol the first
/// block counts and what follows it is dropped: a model that goes on invents the result. A model that
/// makes calls may quote code, so for it the block must be the end and nearly all of the answer.
pub(crate) fn recover(
    text: &str,
    tools: &[ToolSpec],
    tool_use: ToolUse,
    ending: Ending,
) -> Option<Recovered> {
    let call = |tool: &ToolSpec, fence: &Fence, code: &str, end: BlockEnd| {
        let arguments = match (end, ending) {
            (BlockEnd::Open, Ending::Cut) => Err(CUT_OFF.to_owned()),
            _ => Ok(json!({ (fence.argument.as_str()): code })),
        };
        WrittenCall { name: tool.name.clone(), arguments }
    };
    let is_call = |block: &Block<'_>| match tool_use {
        ToolUse::Text => true,
        ToolUse::Calls => {
            block.after.trim().is_empty() && text[..block.start].trim().chars().count() <= WORDS_BEFORE
        }
    };
    let found = blocks(text).into_iter().filter(is_call).find_map(|block| {
        let (tool, fence) = tool_for(&block, tools, tool_use)?;
        let text = text[..block.start].trim().to_owned();
        Some(Recovered { text, calls: vec![call(tool, fence, block.content, block.end)] })
    });
    found.or_else(|| {
        let (tool, fence) = fenced(tools).find(|(_, fence)| fence.language == PYTHON)?;
        let code = without_label(text.trim());
        let end = if ending == Ending::Cut { BlockEnd::Open } else { BlockEnd::Closed };
        is_plainly_python(code)
            .then(|| Recovered { text: String::new(), calls: vec![call(tool, fence, code, end)] })
    })
}

/// The tool whose block has begun in this text.
pub(crate) fn begun<'a>(text: &str, tools: &'a [ToolSpec]) -> Option<&'a str> {
    let open = blocks(text).into_iter().find(|block| !block.label.is_empty())?;
    tool_for(&open, tools, ToolUse::Text).map(|(tool, _)| tool.name.as_str())
}

/// Whether a text that is still arriving may turn out to be nothing but code.
pub(crate) fn may_be_bare(text: &str, tools: &[ToolSpec]) -> bool {
    let text = text.trim_start();
    fenced(tools).any(|(_, fence)| fence.language == PYTHON)
        && ["import ", "from ", "python\n"]
            .iter()
            .any(|start| text.starts_with(start) || start.starts_with(text))
}

/// The block that stands for a call.
pub(crate) fn block(fence: &Fence, content: &str) -> String {
    format!("{MARK}{}\n{}\n{MARK}", fence.language, content.trim_end_matches('\n'))
}

fn fenced(tools: &[ToolSpec]) -> impl Iterator<Item = (&ToolSpec, &Fence)> {
    tools.iter().filter_map(|tool| Some((tool, tool.fence.as_ref()?)))
}

fn tool_for<'a>(
    block: &Block<'_>,
    tools: &'a [ToolSpec],
    tool_use: ToolUse,
) -> Option<(&'a ToolSpec, &'a Fence)> {
    let label = block.label.to_lowercase();
    fenced(tools).find(|(_, fence)| {
        let is_python = fence.language == PYTHON;
        label == fence.language
            || (is_python && PYTHON_LABELS.contains(&label.as_str()))
            || (is_python
                && label.is_empty()
                && tool_use == ToolUse::Text
                && is_plainly_python(block.content))
    })
}

/// Some models write the language of the block that they leave away.
fn without_label(code: &str) -> &str {
    code.strip_prefix("python\n").unwrap_or(code)
}

/// The blocks of a text, by lines: a fence inside a line of code ends nothing.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = 0;
    while let Some((start, label, inside)) = opening(text, rest) {
        let (content, after, end) = closing(text, inside);
        rest = text.len() - after.len();
        blocks.push(Block { start, label, content, after, end });
    }
    blocks
}

/// The next opening fence: where it is, its label, and where its content begins.
fn opening(text: &str, from: usize) -> Option<(usize, &str, usize)> {
    let mut place = from;
    for line in text[from..].split_inclusive('\n') {
        if let Some(mark) = line.find(MARK)
            && line.ends_with('\n')
        {
            let label = line[mark..].trim_start_matches('`').trim();
            if label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
                return Some((place + mark, label, place + line.len()));
            }
        }
        place += line.len();
    }
    None
}

fn closing(text: &str, inside: usize) -> (&str, &str, BlockEnd) {
    let mut place = inside;
    for line in text[inside..].split_inclusive('\n') {
        let bare = line.trim();
        if bare.starts_with(MARK) && bare.chars().all(|letter| letter == '`') {
            return (content(&text[inside..place]), &text[place + line.len()..], BlockEnd::Closed);
        }
        place += line.len();
    }
    match text[inside..].trim_end().strip_suffix(MARK) {
        Some(code) => (content(code), "", BlockEnd::Closed),
        None => (content(&text[inside..]), "", BlockEnd::Open),
    }
}

fn content(code: &str) -> &str {
    code.strip_suffix('\n').unwrap_or(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tools() -> Vec<ToolSpec> {
        let tool = |name: &str, fence: Option<&str>| ToolSpec {
            name: name.into(),
            description: String::new(),
            parameters: json!({}),
            fence: fence.map(|argument| Fence { language: PYTHON.into(), argument: argument.into() }),
        };
        vec![tool("view_image", None), tool("run_python", Some("code"))]
    }

    fn found(text: &str, tool_use: ToolUse, ending: Ending) -> Option<(String, Result<String, String>)> {
        let Recovered { text, calls } = recover(text, &tools(), tool_use, ending)?;
        let [WrittenCall { name, arguments }] = calls.as_slice() else { panic!("{calls:?}") };
        assert_eq!(name, "run_python");
        let code =
            arguments.clone().map(|arguments| arguments["code"].as_str().unwrap_or_default().to_owned());
        Some((text, code))
    }

    #[test]
    fn field_085_a_block_is_a_call_of_its_tool() {
        for (text, words, code) in [
            ("```python\nprint(1)\n```", "", "print(1)"),
            (
                "First, look.\n\n```py\nx = 1\nx\n```\nOutput: 1\n```python\nx\n```",
                "First, look.",
                "x = 1\nx",
            ),
            ("Look: ```python\nprint(1)```", "Look:", "print(1)"),
            (
                "```\nimport pandas as pd\nprint(pd.__version__)\n```",
                "",
                "import pandas as pd\nprint(pd.__version__)",
            ),
            ("```python\nprint('''\n```x\n''')", "", "print('''\n```x\n''')"),
            (
                "import pandas as pd\ndf = pd.read_csv('input/a.csv')\nprint(df.shape)",
                "",
                "import pandas as pd\ndf = pd.read_csv('input/a.csv')\nprint(df.shape)",
            ),
            ("python\nimport math\nprint(math.pi)", "", "import math\nprint(math.pi)"),
        ] {
            let expected = Some((words.to_owned(), Ok(code.to_owned())));
            assert_eq!(found(text, ToolUse::Text, Ending::Whole), expected, "{text}");
        }
        for text in [
            "The mean is 4.",
            "```json\n{}\n```",
            "```\nNorth  3\nSouth  4\n```",
            "Use `print(1)`.",
            "```python",
        ] {
            assert_eq!(found(text, ToolUse::Text, Ending::Whole), None, "{text}");
        }
    }

    #[test]
    fn field_084_a_model_that_makes_calls_is_taken_at_its_word_when_the_block_is_the_answer() {
        let block = "```python\nprint(1)\n```";
        let calls = |text: &str| found(text, ToolUse::Calls, Ending::Whole).is_some();
        assert!(calls(block));
        assert!(calls(&format!("I will look at the data first.\n\n{block}\n")));
        assert!(!calls(&format!("{block}\nThis prints 1.")));
        assert!(!calls(&format!("{}\n\n{block}", "A long report. ".repeat(40))));
        assert!(!calls("```\nimport pandas as pd\nprint(1)\n```"));
    }

    #[test]
    fn field_091_a_block_that_was_cut_is_a_broken_call() {
        for tool_use in [ToolUse::Text, ToolUse::Calls] {
            for text in ["```python\nimport pan", "import pandas as pd\ndf = pd.read_csv("] {
                let expected = Some((String::new(), Err(CUT_OFF.to_owned())));
                assert_eq!(found(text, tool_use, Ending::Cut), expected, "{text}");
            }
        }
        let whole = "```python\nprint(1)\n```\nOutput: ...";
        assert_eq!(found(whole, ToolUse::Text, Ending::Cut), Some((String::new(), Ok("print(1)".into()))));
    }

    #[test]
    fn a_block_is_announced_when_its_first_line_is_whole() {
        let tools = tools();
        for (text, expected) in
            [("```py", None), ("```python\n", Some("run_python")), ("```json\n{", None), ("x", None)]
        {
            assert_eq!(begun(text, &tools), expected, "{text}");
        }
        assert!(
            may_be_bare("imp", &tools) && !may_be_bare("The", &tools) && !may_be_bare("imp", &tools[..1])
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in r"(```|python|\n| |é|x=1|\){0,2}){0,20}") {
            for tool_use in [ToolUse::Text, ToolUse::Calls] {
                recover(&text, &tools(), tool_use, Ending::Cut);
            }
            begun(&text, &tools());
        }
    }
}
