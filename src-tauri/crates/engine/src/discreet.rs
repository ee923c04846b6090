//! Keeps the rows of the person's files on this computer: a model that is told stand-ins for their words.
//!
//! Whatever goes to the model passes through here, and so does whatever comes back. A word that stands in a
//! cell is sent as `⟦7⟧`, always the same for the same word, unless the model was told it anyway (the names
//! of columns and files, the question, the instructions) or has written it by itself. In what the model
//! writes (text, code) the stand-ins are put back, so code runs on the real words and the report shows them.
//! Numbers, dates and times are sent: they are what the model reasons with.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use assay_model::{
    AssistantMessage, Delta, DeltaSink, Message, Model, ModelCard, ModelError, Sending, Turn, TurnRequest,
};
use async_trait::async_trait;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

const OPEN: char = '⟦';
const CLOSE: char = '⟧';

/// A model that never gets to read a word of the files' cells.
pub(crate) struct Discreet {
    model: Box<dyn Model>,
    /// The words of the cells, in lower case.
    cells: HashSet<Box<str>>,
    standins: Mutex<StandIns>,
}

#[derive(Debug, Default)]
struct StandIns {
    /// The words that the model knows, in lower case.
    known: HashSet<String>,
    number_of: HashMap<String, usize>,
    words: Vec<String>,
}

impl Discreet {
    pub(crate) fn new(model: Box<dyn Model>, cells: HashSet<Box<str>>) -> Self {
        Self { model, cells, standins: Mutex::default() }
    }

    /// The request as it may leave: nothing that came out of the sandbox, and nothing that was put back
    /// before, is in it as it is.
    fn hidden(&self, request: &TurnRequest) -> TurnRequest {
        let mut standins = self.standins.lock().unwrap_or_else(PoisonError::into_inner);
        standins.know(&request.instructions);
        for tool in &request.tools {
            standins.know(&tool.name);
            standins.know(&tool.description);
        }
        let mut request = request.clone();
        for message in &mut request.messages {
            match message {
                Message::User { text, images } => {
                    images.clear();
                    // What the loop says by itself may name what came out of the sandbox; only what holds the
                    // person's own words is sent as it is.
                    if assay_agent::is_from_the_person(text) {
                        standins.know(text);
                    } else {
                        *text = standins.hide(text, &self.cells);
                    }
                }
                Message::Assistant(answer) => {
                    answer.text = standins.hide(&answer.text, &self.cells);
                    for call in &mut answer.calls {
                        each_text(&mut call.arguments, &mut |text| standins.hide(text, &self.cells));
                    }
                }
                Message::Tool(result) => result.text = standins.hide(&result.text, &self.cells),
            }
        }
        request
    }

    fn shown(&self, mut answer: AssistantMessage) -> AssistantMessage {
        let mut standins = self.standins.lock().unwrap_or_else(PoisonError::into_inner);
        standins.know(&answer.text);
        answer.text = standins.put_back(&answer.text);
        for call in &mut answer.calls {
            each_text(&mut call.arguments, &mut |text| {
                standins.know(text);
                standins.put_back(text)
            });
        }
        answer
    }
}

#[async_trait]
impl Model for Discreet {
    /// Charts show the words of cells, so no picture is sent.
    fn card(&self) -> ModelCard {
        let mut card = self.model.card();
        card.capabilities.images = false;
        card
    }

    async fn check(&self) -> Result<(), ModelError> {
        self.model.check().await
    }

    async fn context_tokens(&self) -> Option<u64> {
        self.model.context_tokens().await
    }

    fn learnt(&self) -> Option<Value> {
        self.model.learnt()
    }

    fn take_asides(&self) -> Vec<Sending> {
        self.model.take_asides()
    }

    async fn turn(
        &self,
        request: &TurnRequest,
        sink: &mut DeltaSink<'_>,
        stop: &CancellationToken,
    ) -> Result<Turn, ModelError> {
        let hidden = self.hidden(request);
        let (mut text, mut reasoning) = (String::new(), String::new());
        let mut put_back = |delta| match delta {
            Delta::Text(piece) => sink(Delta::Text(self.whole_part(&mut text, &piece))),
            Delta::Reasoning(piece) => sink(Delta::Reasoning(self.whole_part(&mut reasoning, &piece))),
            other => sink(other),
        };
        let turn = self.model.turn(&hidden, &mut put_back, stop).await?;
        for (rest, delta) in [(text, Delta::Text as fn(String) -> Delta), (reasoning, Delta::Reasoning)] {
            if !rest.is_empty() {
                sink(delta(rest));
            }
        }
        Ok(Turn { message: self.shown(turn.message), ..turn })
    }
}

impl Discreet {
    /// Adds a piece of a stream to what was held back, and takes out what holds no half stand-in.
    fn whole_part(&self, held: &mut String, piece: &str) -> String {
        held.push_str(piece);
        let end = match held.rfind(OPEN) {
            Some(start) if !held[start..].contains(CLOSE) && held.len() - start < 16 => start,
            _ => held.len(),
        };
        let whole: String = held.drain(..end).collect();
        self.standins.lock().unwrap_or_else(PoisonError::into_inner).put_back(&whole)
    }
}

impl StandIns {
    fn know(&mut self, text: &str) {
        self.known.extend(pieces(text).filter(|(is_word, _)| *is_word).map(|(_, word)| word.to_lowercase()));
    }

    /// The text with stand-ins for the words of cells. A word that has one once keeps it, so that the
    /// beginning of a conversation stays as it was sent.
    fn hide(&mut self, text: &str, cells: &HashSet<Box<str>>) -> String {
        let mut hidden = String::with_capacity(text.len());
        for (is_word, piece) in pieces(text) {
            if let Some(number) = self.number_of.get(piece) {
                hidden.push_str(&standin(*number));
                continue;
            }
            let lower = piece.to_lowercase();
            if is_word && cells.contains(lower.as_str()) && !self.known.contains(&lower) {
                self.words.push(piece.to_owned());
                self.number_of.insert(piece.to_owned(), self.words.len());
                hidden.push_str(&standin(self.words.len()));
            } else {
                hidden.push_str(piece);
            }
        }
        hidden
    }

    fn put_back(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(OPEN) {
            let inside = start + OPEN.len_utf8();
            let word = rest[inside..].find(CLOSE).and_then(|length| {
                let number: usize = rest[inside..inside + length].parse().ok()?;
                Some((self.words.get(number.checked_sub(1)?)?, inside + length + CLOSE.len_utf8()))
            });
            let (piece, next) = match word {
                Some((word, next)) => (word.as_str(), next),
                None => (&rest[start..inside], inside),
            };
            shown.push_str(&rest[..start]);
            shown.push_str(piece);
            rest = &rest[next..];
        }
        shown + rest
    }
}

fn standin(number: usize) -> String {
    format!("{OPEN}{number}{CLOSE}")
}

/// A text in words and what stands between them, in order. Escapes of a line end or a tab are no part of a
/// word: in code `"a\nb"` holds the words a and b.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = if is_word(first) {
            rest.find(|c| !is_word(c))
        } else if first == '\\' {
            Some(first.len_utf8() + rest[1..].chars().next().map_or(0, char::len_utf8))
        } else {
            rest.find(|c| is_word(c) || c == '\\')
        };
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some((is_word(first), piece))
    })
}

/// Changes every text of a JSON value.
fn each_text(value: &mut Value, change: &mut dyn FnMut(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(list) => list.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_text(field, change)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_model::{Capabilities, StopReason, ToolCall, ToolResult};
    use serde_json::json;

    use super::*;

    /// Answers by a script and remembers what it was told.
    #[derive(Clone)]
    struct Scripted(Arc<Mutex<(Vec<Turn>, Vec<TurnRequest>)>>);

    #[async_trait]
    impl Model for Scripted {
        fn card(&self) -> ModelCard {
            let capabilities = Capabilities { images: true, ..Capabilities::default() };
            ModelCard { name: "m".into(), host: None, is_ai: true, capabilities }
        }

        async fn check(&self) -> Result<(), ModelError> {
            Ok(())
        }

        async fn turn(
            &self,
            request: &TurnRequest,
            sink: &mut DeltaSink<'_>,
            _stop: &CancellationToken,
        ) -> Result<Turn, ModelError> {
            let mut script = self.0.lock().unwrap();
            script.1.push(request.clone());
            let turn = script.0.remove(0);
            for letter in turn.message.text.chars() {
                sink(Delta::Text(letter.into()));
            }
            Ok(turn)
        }
    }

    fn says(text: &str, code: &str) -> Turn {
        let call = ToolCall {
            id: "c".into(),
            name: "run_python".into(),
            arguments: json!({ "code": code }),
            broken: None,
            extra: serde_json::Map::new(),
        };
        let message =
            AssistantMessage { text: text.into(), calls: vec![call], ..AssistantMessage::default() };
        Turn { message, stop: StopReason::ToolCalls, usage: None }
    }

    fn result(text: &str) -> Message {
        Message::Tool(ToolResult { call_id: "c".into(), text: text.into() })
    }

    #[tokio::test]
    async fn words_of_cells_are_never_sent_and_come_back_in_code_and_text() {
        let script = vec![says("", "print(df.name)"), says("It is ⟦1⟧ ⟦2⟧!", "df[df.name == '⟦1⟧ ⟦2⟧']")];
        let inner = Scripted(Arc::new(Mutex::new((script, Vec::new()))));
        let cells = ["anna", "müller", "name", "north"].map(Box::from).into();
        let model = Discreet::new(Box::new(inner.clone()), cells);
        let mut request = TurnRequest {
            instructions: "Be brief.".into(),
            messages: vec![Message::user(
                "<tables>\nname, amount\n</tables>\n<request>Who in the North pays most?</request>",
            )],
            tools: Vec::new(),
            max_output_tokens: 10,
            temperature: None,
        };
        let stop = CancellationToken::new();
        let first = model.turn(&request, &mut |_| {}, &stop).await.unwrap();
        request.messages.push(Message::Assistant(first.message));
        request.messages.push(result("name\nAnna Müller  12.5\\nNorth\nANNA"));
        let mut streamed = String::new();
        let mut sink = |delta| {
            if let Delta::Text(piece) = delta {
                streamed.push_str(&piece);
            }
        };
        let second = model.turn(&request, &mut sink, &stop).await.unwrap();
        assert_eq!(second.message.text, "It is Anna Müller!");
        assert_eq!(streamed, "It is Anna Müller!");
        assert_eq!(second.message.calls[0].arguments, json!({"code": "df[df.name == 'Anna Müller']"}));
        request.messages.push(Message::Assistant(second.message));
        request.messages.push(result("Müller"));
        request.messages.push(Message::user("Missing: the file charts/Anna.png"));
        inner.0.lock().unwrap().0.push(says("ok", ""));
        model.turn(&request, &mut |_| {}, &stop).await.unwrap();

        let sent = &inner.0.lock().unwrap().1;
        assert_eq!(sent[1].messages[2], result("name\n⟦1⟧ ⟦2⟧  12.5\\nNorth\n⟦3⟧"), "known words are sent");
        assert_eq!(sent[2].messages[..3], sent[1].messages[..3], "what was sent stays as it was");
        assert_eq!(sent[2].messages[4], result("⟦2⟧"));
        assert_eq!(sent[2].messages[5], Message::user("Missing: the file charts/⟦1⟧.png"));
        let Message::Assistant(again) = &sent[2].messages[3] else { panic!() };
        assert_eq!(again.calls[0].arguments, json!({"code": "df[df.name == '⟦1⟧ ⟦2⟧']"}));
        for request in sent {
            let text = serde_json::to_string(request).unwrap().to_lowercase();
            assert!(!text.contains("anna") && !text.contains("müller"), "{text}");
        }
        assert!(!model.card().capabilities.images, "a chart would show the words");
    }

    #[test]
    fn stand_ins_that_nobody_gave_stay_as_they_are() {
        let standins = StandIns { words: vec!["Anna".into()], ..StandIns::default() };
        for (text, shown) in [("⟦2⟧ ⟦x⟧ ⟦", "⟦2⟧ ⟦x⟧ ⟦"), ("⟦0⟧⟦1⟧⟧", "⟦0⟧Anna⟧"), ("⟦⟦1⟧", "⟦Anna")]
        {
            assert_eq!(standins.put_back(text), shown);
        }
    }
}
