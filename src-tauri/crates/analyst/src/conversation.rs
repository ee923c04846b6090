//! From the messages so far to the next answer: a pure function.

use assay_model::{AssistantMessage, Message};

use crate::choice::{Choice, choose};
use crate::intent::{self, Intent};
use crate::opening::Opening;
use crate::plan::{Plan, Step, Task, simpler};

/// The next answer: a text, and a step to run unless the analyst is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// What the analyst says.
    pub(crate) text: String,
    /// What it wants run.
    pub(crate) call: Option<Call>,
}

/// A step to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// The id of the tool call. It says where in which plan the conversation stands.
    pub(crate) id: String,
    /// The step's title.
    pub(crate) title: String,
    /// The code.
    pub(crate) code: String,
}

/// Where a call stands: in a plan, or as the second attempt to write a plan's files.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Step(&'static Intent, usize),
    Repair(&'static Intent),
}

impl Place {
    fn id(self) -> String {
        match self {
            Self::Step(plan, index) => format!("analyst-{}-{}", plan.word, index + 1),
            Self::Repair(plan) => format!("analyst-{}-again", plan.word),
        }
    }

    fn from_id(id: &str) -> Option<Self> {
        let id = id.split_once(FURTHER).map_or(id, |(id, _)| id);
        let (plan, rest) = id.strip_prefix("analyst-")?.split_once('-')?;
        let plan = intent::of_word(plan)?;
        match rest {
            "again" => Some(Self::Repair(plan)),
            number => Some(Self::Step(plan, number.parse::<usize>().ok()?.checked_sub(1)?)),
        }
    }
}

/// Stands in a call's id before the number of a further question, so that no id comes twice in a run.
const FURTHER: char = '@';

/// What the conversation says about the analyst's own steps.
struct Progress<'a> {
    /// The places of all calls, oldest first.
    places: Vec<Place>,
    /// The observation of the last call, where it has come.
    observation: Option<&'a str>,
    /// Whether the last thing said is a complaint of the loop after a final answer.
    sent_back: bool,
}

/// The next answer to this conversation.
pub(crate) fn answer(messages: &[Message]) -> Answer {
    let opening = messages.iter().find_map(|message| match message {
        Message::User { text, .. } => Some(Opening::parse(text)),
        _ => None,
    });
    let mut opening = match opening {
        Some(Ok(opening)) => opening,
        Some(Err(error)) => return say(format!("The built-in analyst cannot begin: {error}.")),
        None => return say("The built-in analyst cannot begin: nothing was asked."),
    };
    let further = further_questions(messages);
    let mut requests = vec![opening.request.clone()];
    requests.extend(further.iter().map(|(_, request)| request.clone()));
    let asked_at = further.last().map_or(0, |(place, _)| place + 1);
    opening.request = requests.last().cloned().unwrap_or_default();
    let requests: Vec<&str> = requests.iter().map(String::as_str).collect();
    let mut answer = Talk { choice: choose(&opening, &requests), opening: &opening, failure: None }
        .answer(&messages[asked_at..]);
    if let (Some(call), false) = (&mut answer.call, further.is_empty()) {
        call.id = format!("{}{FURTHER}{}", call.id, further.len());
    }
    answer
}

/// The questions after the first, with the places of their messages.
fn further_questions(messages: &[Message]) -> Vec<(usize, String)> {
    let questions = messages.iter().enumerate().filter_map(|(place, message)| match message {
        Message::User { text, .. } => Some((place, Opening::parse_request(text)?)),
        _ => None,
    });
    questions.skip(1).collect()
}

/// One question and what was chosen for it.
struct Talk<'a> {
    choice: Choice,
    opening: &'a Opening,
    /// Why the step before failed, in the words of its code.
    failure: Option<&'a str>,
}

impl<'a> Talk<'a> {
    /// The next answer, by what was said since the question was asked.
    fn answer(&self, messages: &'a [Message]) -> Answer {
        let progress = progress(messages);
        match progress.places.last().copied() {
            None => self.run(Place::Step(self.choice.question.intent, 0)),
            Some(Place::Repair(_)) if progress.sent_back => say(
                "The built-in analyst has written its files twice and cannot make what is still missing. Connect a model for this request.",
            ),
            Some(Place::Step(plan, _)) if progress.sent_back => self.run(Place::Repair(plan)),
            Some(place) => self.after(place, &progress),
        }
    }

    /// What follows the last step, by its outcome.
    fn after(&self, place: Place, progress: &Progress<'a>) -> Answer {
        let observation = progress.observation.unwrap_or_default();
        match place {
            Place::Step(plan, index) if succeeded(observation) => {
                if index + 1 < self.plan(plan).steps.len() {
                    self.run(Place::Step(plan, index + 1))
                } else {
                    say(final_text(observation))
                }
            }
            Place::Repair(_) if succeeded(observation) => say(final_text(observation)),
            Place::Step(plan, _) => match simpler(plan) {
                Some(simpler) if progress.plans() < 3 => {
                    Self { failure: reason(observation), choice: self.choice.clone(), ..*self }
                        .run(Place::Step(simpler, 0))
                }
                _ => say(GAVE_UP),
            },
            Place::Repair(_) => say(GAVE_UP),
        }
    }

    /// The plan of this intent.
    fn plan(&self, intent: &'static Intent) -> Plan {
        let Choice { table, question } = &self.choice;
        let apology = apology(intent, question.intent, self.failure);
        (intent.plan)(&Task {
            question,
            request: &self.opening.request,
            table,
            opening: self.opening,
            apology: &apology,
        })
    }

    /// A step of a plan as a call.
    fn run(&self, place: Place) -> Answer {
        let (Place::Step(intent, _) | Place::Repair(intent)) = place;
        let plan = self.plan(intent);
        let step = match place {
            Place::Step(_, index) => plan.steps.get(index).cloned(),
            Place::Repair(_) => Some(Step::new(
                "Writing the files again",
                "Something is missing. I write the charts, the tables and the report again.",
                plan.steps[plan.writing_from..]
                    .iter()
                    .map(|step| step.code.as_str())
                    .collect::<Vec<_>>()
                    .join("\n\n"),
            )),
        };
        match step {
            Some(Step { title, sentence, code }) => {
                Answer { text: sentence, call: Some(Call { id: place.id(), title: title.to_owned(), code }) }
            }
            None => say(GAVE_UP),
        }
    }
}

/// Why a step failed, where its code says so itself.
fn reason(observation: &str) -> Option<&str> {
    let said = observation
        .lines()
        .rev()
        .find_map(|line| line.split_once("error: ").map(|(_, said)| said.trim().trim_end_matches('.')));
    said.filter(|said| said.len() < 300)
}

/// What is said where another question is answered than the one that was asked.
fn apology(answered: &Intent, asked: &Intent, failure: Option<&str>) -> String {
    match (answered.word, asked.word) {
        ("unknown", _) | ("overview", "unknown") => {
            let abilities: Vec<&str> = intent::abilities().collect();
            format!(
                "The built-in analyst did not understand this question, so here is an overview of the table. It can answer: {}. Connect a model to ask freely.",
                abilities.join("; ")
            )
        }
        ("overview", "overview") => String::new(),
        ("overview", _) => {
            let why = failure.map_or_else(String::new, |reason| format!(": {reason}"));
            format!(
                "What was asked could not be computed on this table{why}. Here is an overview of it instead."
            )
        }
        _ => String::new(),
    }
}

const GAVE_UP: &str = "The built-in analyst could not finish: a step failed, and so did the simpler way. \
    The steps above show what went wrong. Connect a model for this table.";

impl Progress<'_> {
    /// How many plans were begun.
    fn plans(&self) -> usize {
        let begun = self.places.iter().filter(|place| matches!(place, Place::Step(_, 0)));
        begun.count()
    }
}

fn progress(messages: &[Message]) -> Progress<'_> {
    let mut progress = Progress { places: Vec::new(), observation: None, sent_back: false };
    let mut last_call = "";
    let mut ended = false;
    for message in messages {
        match message {
            Message::Assistant(AssistantMessage { calls, .. }) => {
                ended = calls.is_empty();
                progress.sent_back = false;
                for call in calls {
                    if let Some(place) = Place::from_id(&call.id) {
                        progress.places.push(place);
                        progress.observation = None;
                        last_call = &call.id;
                    }
                }
            }
            Message::Tool(result) if result.call_id == last_call => progress.observation = Some(&result.text),
            Message::Tool(_) => {}
            Message::User { .. } => progress.sent_back = ended,
        }
    }
    progress
}

/// Whether a step ended well: the first line of its observation says so.
fn succeeded(observation: &str) -> bool {
    observation.lines().next().is_some_and(|line| line.trim() == "status: ok")
}

/// The answer that the last step printed.
fn final_text(observation: &str) -> String {
    let printed = observation.lines().rev().find_map(|line| line.trim().strip_prefix("Answer: "));
    printed.map_or_else(
        || "The report is written.".to_owned(),
        |answer| format!("{answer}\n\nThe report has the details."),
    )
}

fn say(text: impl Into<String>) -> Answer {
    Answer { text: text.into(), call: None }
}

#[cfg(test)]
mod tests;
