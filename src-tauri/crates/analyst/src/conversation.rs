//! From the messages so far to the next answer: a pure function.

use assay_model::{AssistantMessage, Message};

use crate::choice::{Choice, choose};
use crate::opening::Opening;
use crate::plan::{PlanName, Step, write};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Step(PlanName, usize),
    Repair(PlanName),
}

impl Place {
    fn id(self) -> String {
        match self {
            Self::Step(plan, index) => format!("analyst-{}-{}", plan.word(), index + 1),
            Self::Repair(plan) => format!("analyst-{}-again", plan.word()),
        }
    }

    fn from_id(id: &str) -> Option<Self> {
        let id = id.split_once(FURTHER).map_or(id, |(id, _)| id);
        let (plan, rest) = id.strip_prefix("analyst-")?.split_once('-')?;
        let plan = PlanName::from_word(plan)?;
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
    let Some((asked_at, request)) = further.last() else { return answer_to(&opening, messages) };
    opening.request.clone_from(request);
    let mut answer = answer_to(&opening, &messages[asked_at + 1..]);
    if let Some(call) = &mut answer.call {
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

/// The next answer to one question, by what was said since it was asked.
fn answer_to(opening: &Opening, messages: &[Message]) -> Answer {
    let choice = choose(opening);
    let progress = progress(messages);
    match progress.places.last().copied() {
        None => run(Place::Step(PlanName::first(&choice), 0), &choice, opening),
        Some(Place::Repair(_)) if progress.sent_back => say(
            "The built-in analyst has written its files twice and cannot make what is still missing. Connect a model for this request.",
        ),
        Some(Place::Step(plan, _)) if progress.sent_back => run(Place::Repair(plan), &choice, opening),
        Some(place) => after(place, &progress, &choice, opening),
    }
}

/// What follows the last step, by its outcome.
fn after(place: Place, progress: &Progress<'_>, choice: &Choice<'_>, opening: &Opening) -> Answer {
    let observation = progress.observation.unwrap_or_default();
    match place {
        Place::Step(plan, index) if succeeded(observation) => {
            if index + 1 < write(plan, choice, opening).steps.len() {
                run(Place::Step(plan, index + 1), choice, opening)
            } else {
                say(final_text(observation))
            }
        }
        Place::Repair(_) if succeeded(observation) => say(final_text(observation)),
        Place::Step(plan, _) if progress.is_first_plan() => match plan.simpler() {
            Some(simpler) => run(Place::Step(simpler, 0), choice, opening),
            None => say(GAVE_UP),
        },
        _ => say(GAVE_UP),
    }
}

const GAVE_UP: &str = "The built-in analyst could not finish: a step failed, and so did the simpler way. \
    The steps above show what went wrong. Connect a model for this table.";

impl Progress<'_> {
    /// Whether no fallback was made yet.
    fn is_first_plan(&self) -> bool {
        let plan = |place: &Place| match place {
            Place::Step(plan, _) | Place::Repair(plan) => *plan,
        };
        self.places.iter().all(|place| plan(place) == plan(&self.places[0]))
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

/// A step of a plan as a call.
fn run(place: Place, choice: &Choice<'_>, opening: &Opening) -> Answer {
    let (Place::Step(name, _) | Place::Repair(name)) = place;
    let plan = write(name, choice, opening);
    let step = match place {
        Place::Step(_, index) => plan.steps.get(index).cloned(),
        Place::Repair(_) => Some(Step {
            title: "Writing the files again",
            sentence: "Something is missing. I write the charts, the tables and the report again.",
            code: plan.steps[plan.writing_from..]
                .iter()
                .map(|step| step.code.as_str())
                .collect::<Vec<_>>()
                .join("\n\n"),
        }),
    };
    match step {
        Some(Step { title, sentence, code }) => Answer {
            text: sentence.to_owned(),
            call: Some(Call { id: place.id(), title: title.to_owned(), code }),
        },
        None => say(GAVE_UP),
    }
}

fn say(text: impl Into<String>) -> Answer {
    Answer { text: text.into(), call: None }
}

#[cfg(test)]
mod tests;
