//! An answer put together from the pieces in which it streams in, whatever format they come in.

pub(crate) mod arguments;
mod bare_python;
pub(crate) mod fences;
mod written_calls;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use serde_json::{Map, Value, json};

use crate::base64_images::without_base64_images;
use crate::message::{AssistantMessage, Message, ToolCall};
use crate::model::{Delta, DeltaSink, ModelError, StopReason, ToolSpec, ToolUse, Turn, TurnRequest, Usage};
use arguments::{Arguments, CUT_OFF, read_arguments};
use written_calls::{Recovered, WrittenCall, recover, showable};

/// The largest answer that is accepted, reasoning and arguments included.
const ANSWER_LIMIT: usize = 8 * 1024 * 1024;

const THOUGHT_START: &str = "<think>";
const THOUGHT_END: &str = "</think>";

/// What has arrived so far.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    /// The calls, in the order in which they were begun.
    pub(crate) calls: Vec<DraftCall>,
    /// What the provider wants to see again.
    pub(crate) extra: Map<String, Value>,
    /// How it ended, once that is known.
    pub(crate) ending: Option<Ending>,
    /// The tokens used, once they are known.
    pub(crate) usage: Option<Usage>,
    tools: &'a [ToolSpec],
    tool_use: ToolUse,
    /// The ids of calls that the conversation already has.
    ids: HashSet<String>,
    text: String,
    /// How much of the text has gone to the sink.
    shown: usize,
    /// The tool whose block has begun in the text, once the sink knows of it.
    announced: Option<String>,
    thought: Thought,
    size: usize,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    Cut,
    Refused,
}

/// Whether the text begins with reasoning that the server did not take out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Thought {
    Awaited,
    Open,
    Over,
}

/// A tool call that is still being written.
#[derive(Debug, Default)]
pub(crate) struct DraftCall {
    /// Where the format counts it.
    pub(crate) index: Option<u64>,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) extra: Map<String, Value>,
}

impl<'a> Answer<'a> {
    pub(crate) fn new(request: &'a TurnRequest, tool_use: ToolUse) -> Self {
        let calls = request.messages.iter().flat_map(|message| match message {
            Message::Assistant(answer) => answer.calls.as_slice(),
            _ => &[],
        });
        Self {
            calls: Vec::new(),
            extra: Map::new(),
            ending: None,
            usage: None,
            tools: &request.tools,
            tool_use,
            ids: calls.map(|call| call.id.clone()).collect(),
            text: String::new(),
            shown: 0,
            announced: None,
            thought: Thought::Awaited,
            size: 0,
        }
    }

    /// Counts what has arrived.
    pub(crate) fn grow(&mut self, size: usize) {
        self.size += size;
    }

    /// Refuses an answer without end.
    pub(crate) fn check_size(&self) -> Result<(), ModelError> {
        if self.size > ANSWER_LIMIT {
            return Err(ModelError::Protocol("the answer is larger than 8 MiB".into()));
        }
        Ok(())
    }

    /// More of the text. What may turn out to be a call is held back from the sink.
    pub(crate) fn add_text(&mut self, piece: &str, sink: &mut DeltaSink<'_>) {
        self.text.push_str(piece);
        self.show(sink);
    }

    /// More of the reasoning. It is shown and not kept: what must be kept is the provider's own form of it.
    pub(crate) fn add_reasoning(piece: &str, sink: &mut DeltaSink<'_>) {
        if !piece.is_empty() {
            sink(Delta::Reasoning(piece.to_owned()));
        }
    }

    /// The call of this name begins.
    pub(crate) fn open_call(&mut self, call: DraftCall, sink: &mut DeltaSink<'_>) {
        if !call.name.is_empty() {
            sink(Delta::ToolCall(call.name.clone()));
        }
        self.calls.push(call);
    }

    /// The call that the format counts at this place.
    pub(crate) fn call_at(&mut self, index: u64) -> Option<&mut DraftCall> {
        self.calls.iter_mut().find(|call| call.index == Some(index))
    }

    /// The whole answer. Text that was held back and is no call goes to the sink.
    pub(crate) fn finish(mut self, sink: &mut DeltaSink<'_>) -> Turn {
        let ending = self.ending.unwrap_or(Ending::Whole);
        if self.thought == Thought::Open {
            self.text.clear();
        } else if let Some((_, said)) = self.text.split_once(THOUGHT_END)
            && !self.text.contains(THOUGHT_START)
        {
            // Some templates open the thought themselves, and only its end is in the answer.
            let said = said.trim_start().to_owned();
            self.shown = self.shown.saturating_sub(self.text.len() - said.len());
            self.text = said;
        }
        let mut calls = self.whole_calls(ending);
        let written = if calls.is_empty() { self.written_calls(ending) } else { None };
        if let Some(Recovered { text, calls: written }) = written {
            self.text = text;
            for WrittenCall { name, arguments } in written {
                if self.announced.take().as_ref() != Some(&name) {
                    sink(Delta::ToolCall(name.clone()));
                }
                calls.push(self.whole_call(DraftCall { name, ..DraftCall::default() }, arguments));
            }
        } else if let Some(rest) = self.text.get(self.shown..).filter(|rest| !rest.is_empty()) {
            sink(Delta::Text(without_base64_images(rest).into_owned()));
        }
        let stop = match ending {
            Ending::Cut => StopReason::Length,
            _ if !calls.is_empty() => StopReason::ToolCalls,
            Ending::Refused => StopReason::Refused,
            Ending::Whole => StopReason::End,
        };
        let text = without_base64_images(&self.text).into_owned();
        Turn { message: AssistantMessage { text, calls, extra: self.extra }, stop, usage: self.usage }
    }

    fn written_calls(&self, ending: Ending) -> Option<Recovered> {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        recover(&self.text, &names).or_else(|| fences::recover(&self.text, self.tools, self.tool_use, ending))
    }

    fn whole_calls(&mut self, ending: Ending) -> Vec<ToolCall> {
        let drafts = std::mem::take(&mut self.calls);
        let last = drafts.len().saturating_sub(1);
        let whole = drafts.into_iter().enumerate().map(|(place, draft)| {
            let arguments = match draft.arguments.trim() {
                "" if ending == Ending::Cut && place == last => Err(CUT_OFF.into()),
                text => read_arguments(text),
            };
            self.whole_call(draft, arguments)
        });
        whole.collect()
    }

    /// A call under an id of its own: servers may send none, or the same one twice. Nine letters and digits
    /// are what the strictest of them, Mistral's, takes back.
    fn whole_call(&mut self, draft: DraftCall, arguments: Arguments) -> ToolCall {
        let mut id = draft.id;
        while id.is_empty() || !self.ids.insert(id.clone()) {
            id = format!("{:09x}", RandomState::new().hash_one(self.ids.len()) >> 28);
        }
        let (arguments, broken) = match arguments {
            Ok(arguments) => (arguments, None),
            Err(reason) => (json!({}), Some(reason)),
        };
        ToolCall { id, name: draft.name, arguments, broken, extra: draft.extra }
    }

    /// Passes on what can be shown of the text. A thought at its beginning is taken out of it.
    fn show(&mut self, sink: &mut DeltaSink<'_>) {
        if self.thought == Thought::Awaited {
            let text = self.text.trim_start();
            if text.starts_with(THOUGHT_START) {
                self.thought = Thought::Open;
            } else if !THOUGHT_START.starts_with(text) {
                self.thought = Thought::Over;
            }
        }
        if self.thought == Thought::Open {
            let end = self.text.find(THOUGHT_END).map(|start| start + THOUGHT_END.len());
            let piece = &self.text[self.shown..end.unwrap_or(self.text.len())];
            if !piece.is_empty() {
                sink(Delta::Reasoning(piece.to_owned()));
            }
            self.shown = self.text.len();
            if let Some(end) = end {
                self.text = self.text[end..].trim_start().to_owned();
                self.shown = 0;
                self.thought = Thought::Over;
            }
        }
        if self.thought == Thought::Over {
            self.show_text(sink);
        }
    }

    fn show_text(&mut self, sink: &mut DeltaSink<'_>) {
        let mut end = self.text.len();
        if !self.tools.is_empty() {
            end = showable(&self.text, self.shown);
            if self.shown == 0 && fences::may_be_bare(&self.text, self.tools) {
                end = 0;
            }
        }
        if end > self.shown {
            sink(Delta::Text(self.text[self.shown..end].to_owned()));
            self.shown = end;
        }
        if self.tool_use == ToolUse::Text && self.announced.is_none() {
            self.announced = fences::begun(&self.text[self.shown..], self.tools).map(str::to_owned);
            if let Some(name) = &self.announced {
                sink(Delta::ToolCall(name.clone()));
            }
        }
    }
}
