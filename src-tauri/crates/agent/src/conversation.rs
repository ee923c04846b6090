//! The conversation of a run, from its opening to the last answer, and what it has used.

use assay_model::{AssistantMessage, Message, ToolResult, Usage};

use crate::budget::Spent;
use crate::event::Event;
use crate::prompt;

/// What the model has been told and has said.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    instructions: String,
    messages: Vec<Message>,
    spent: Spent,
}

/// What a tool call reads as that was cut off: by the end of the app, a stop, or a lost sandbox.
const LOST: &str = "status: interrupted\nThis step was cut off before its end. What it did is not known.";

impl Conversation {
    /// A conversation that begins with the opening message.
    pub fn open(instructions: String, opening: String) -> Self {
        Self { instructions, messages: vec![Message::user(opening)], spent: Spent::default() }
    }

    /// The conversation that a run's events tell of; `None` when it never got as far as an opening.
    pub fn from_events(events: &[Event]) -> Option<Self> {
        let mut conversation = events.iter().find_map(|event| match event {
            Event::Briefed { instructions, opening, .. } => {
                Some(Self::open(instructions.clone(), opening.clone()))
            }
            _ => None,
        })?;
        let mut call_of_step = std::collections::HashMap::new();
        for event in events {
            match event {
                Event::Asked { ask } => conversation.ask(ask),
                Event::TurnEnded { message, usage, estimated, .. } => {
                    conversation.begin_turn();
                    conversation.answered(message.clone(), *usage, *estimated);
                }
                Event::StepStarted { step, call, .. } => {
                    conversation.begin_step();
                    call_of_step.insert(*step, call.clone());
                }
                Event::StepEnded { step, ok, observation, .. } => {
                    let call_id = call_of_step.get(step).cloned().unwrap_or_default();
                    if !call_id.is_empty() {
                        conversation.push(Message::Tool(ToolResult { call_id, text: observation.clone() }));
                    } else if !ok {
                        conversation.push(Message::user(prompt::not_loaded(observation)));
                    }
                }
                Event::ContractBroken { gaps } => conversation.push(Message::user(prompt::missing(gaps))),
                _ => {}
            }
        }
        conversation.answer_lost_calls();
        Some(conversation)
    }

    /// Adds a further question of the person.
    pub fn ask(&mut self, request: &str) {
        self.answer_lost_calls();
        self.push(Message::user(prompt::follow_up_message(request)));
    }

    /// What has been used.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    pub(crate) fn instructions(&self) -> &str {
        &self.instructions
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub(crate) fn messages_mut(&mut self) -> &mut [Message] {
        &mut self.messages
    }

    pub(crate) fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// The number of the next turn.
    pub(crate) fn begin_turn(&mut self) -> u32 {
        self.spent.turns += 1;
        self.spent.turns
    }

    /// The number of the next step.
    pub(crate) fn begin_step(&mut self) -> u32 {
        self.spent.steps += 1;
        self.spent.steps
    }

    pub(crate) fn answered(&mut self, message: AssistantMessage, usage: Option<Usage>, estimated: bool) {
        if let Some(usage) = usage {
            self.spent.add(usage, estimated);
        }
        self.push(Message::Assistant(message));
    }

    /// Every provider wants a result for each call: those that never came get one that says so.
    pub(crate) fn answer_lost_calls(&mut self) {
        let last = self.messages.iter().rposition(|message| matches!(message, Message::Assistant(_)));
        let Some(last) = last else { return };
        let Message::Assistant(answer) = &self.messages[last] else { return };
        let answered: Vec<&str> = self.messages[last..]
            .iter()
            .filter_map(|message| match message {
                Message::Tool(result) => Some(result.call_id.as_str()),
                _ => None,
            })
            .collect();
        let lost: Vec<String> = answer
            .calls
            .iter()
            .filter(|call| !answered.contains(&call.id.as_str()))
            .map(|call| call.id.clone())
            .collect();
        for call_id in lost {
            self.push(Message::Tool(ToolResult { call_id, text: LOST.into() }));
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_model::{StopReason, ToolCall};
    use serde_json::json;

    use super::*;
    use crate::surroundings::Surroundings;

    fn call(id: &str) -> ToolCall {
        ToolCall {
            id: id.into(),
            name: "run_python".into(),
            arguments: json!({"code": "1"}),
            broken: None,
            extra: serde_json::Map::new(),
        }
    }

    fn turn(number: u32, text: &str, calls: Vec<ToolCall>) -> Event {
        let message = AssistantMessage { text: text.into(), calls, extra: serde_json::Map::new() };
        let usage = Some(Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() });
        Event::TurnEnded { turn: number, message, stop: StopReason::End, usage, estimated: false }
    }

    fn briefed(instructions: &str, opening: &str) -> Event {
        Event::Briefed {
            instructions: instructions.into(),
            opening: opening.into(),
            surroundings: Surroundings::default(),
        }
    }

    fn started(step: u32, call: &str) -> Event {
        Event::StepStarted {
            step,
            turn: 1,
            call: call.into(),
            tool: "run_python".into(),
            title: "t".into(),
            arguments: json!({}),
            mended: Vec::new(),
        }
    }

    #[test]
    fn field_098_a_run_that_was_cut_off_is_told_again_from_its_events() {
        let events = [
            briefed("be good", "hello"),
            turn(1, "two steps", vec![call("a"), call("b")]),
            started(1, "a"),
            Event::StepEnded { step: 1, ok: true, outcome: None, observation: "status: ok".into() },
            started(2, "b"),
        ];
        let conversation = Conversation::from_events(&events).unwrap();
        let results: Vec<(&str, &str)> = conversation
            .messages()
            .iter()
            .filter_map(|message| match message {
                Message::Tool(result) => Some((result.call_id.as_str(), result.text.as_str())),
                _ => None,
            })
            .collect();
        assert_eq!(results, [("a", "status: ok"), ("b", LOST)]);
        let usage = Usage { input_tokens: 10, output_tokens: 1, ..Usage::default() };
        assert_eq!(conversation.spent(), Spent { turns: 1, steps: 2, usage, estimated: false });
        assert_eq!(Conversation::from_events(&events[1..]), None);
    }

    #[test]
    fn a_follow_up_is_part_of_the_conversation() {
        let events =
            [briefed("i", "o"), turn(1, "done", Vec::new()), Event::Asked { ask: "only weekends".into() }];
        let conversation = Conversation::from_events(&events).unwrap();
        assert_eq!(conversation.messages().len(), 3);
        assert!(
            matches!(&conversation.messages()[2], Message::User { text, .. } if text.ends_with("<request>\nonly weekends\n</request>"))
        );
    }
}
