//! One answer of the model: within its room, recorded, with patience for passing trouble.

use assay_model::{Delta, Message, ModelError, ToolSpec, Turn, TurnRequest};
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, AgentError};
use crate::context::{Room, shorten};
use crate::conversation::Conversation;
use crate::event::Event;
use crate::prompt::{self, Guidance, is_from_the_person};
use crate::retry::wait_after;
use crate::workbench::Workbench;

/// The temperature that a model is asked at after it has repeated itself.
const LIVELY: f64 = 0.8;

impl Agent<'_> {
    /// One answer to the conversation as it stands, shortened where the model has no room for all of it.
    /// Whether its tokens are an estimate comes with it.
    pub(crate) async fn fitting_turn(
        &self,
        number: u32,
        conversation: &mut Conversation,
        tools: &[ToolSpec],
        room: &mut Room,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<(Turn, bool), AgentError> {
        bench.record(Event::TurnStarted { turn: number })?;
        let mut refused = false;
        loop {
            let request = self.request(conversation, tools, room, bench);
            if let Some(excess) = room.excess(&request)
                && shorten_results(conversation, excess, bench, stop).await?
            {
                continue;
            }
            let mut turn = match self.turn(number, &request, bench, stop).await {
                // The server has less room than it says, or does not say: all that can be is shortened, once.
                Err(AgentError::Model(ModelError::TooLong(_)))
                    if !refused && shorten_results(conversation, usize::MAX, bench, stop).await? =>
                {
                    refused = true;
                    continue;
                }
                answered => answered?,
            };
            let estimated = turn.usage.is_none() && self.model.card().is_ai;
            match turn.usage {
                Some(usage) => room.learn(&request, usage),
                None if estimated => turn.usage = Some(room.usage(&request, &turn.message)),
                None => {}
            }
            if let (Some(usage), Some(prices)) = (&mut turn.usage, self.budget.prices) {
                let cost = prices.cost(*usage);
                usage.cost_microdollars.get_or_insert(cost);
            }
            bench.record(Event::TurnEnded {
                turn: number,
                message: turn.message.clone(),
                stop: turn.stop,
                usage: turn.usage,
                estimated,
            })?;
            return Ok((turn, estimated));
        }
    }

    fn request(
        &self,
        conversation: &Conversation,
        tools: &[ToolSpec],
        room: &Room,
        bench: &Workbench<'_>,
    ) -> TurnRequest {
        // The same question gets the same answer, until that answer was a repetition: without chance a model
        // does not find out of it.
        let temperature = match self.guidance {
            Guidance::Full => None,
            Guidance::Short if bench.is_repeating() => Some(LIVELY),
            Guidance::Short => Some(0.0),
        };
        TurnRequest {
            instructions: conversation.instructions().to_owned(),
            messages: self.messages(conversation, bench),
            tools: tools.to_vec(),
            max_output_tokens: room.for_answer(self.budget.answer_tokens),
            temperature,
        }
    }

    /// The conversation as the model reads it. What a small one has tried and failed at again and again is told
    /// instead of shown: it would copy it.
    fn messages(&self, conversation: &Conversation, bench: &Workbench<'_>) -> Vec<Message> {
        let all = conversation.messages();
        let last = match all.last() {
            Some(Message::Tool(result)) if self.guidance == Guidance::Short && bench.is_failing_again() => {
                result
            }
            _ => return all.to_vec(),
        };
        let asked =
            |message: &Message| matches!(message, Message::User { text, .. } if is_from_the_person(text));
        let opening = all.iter().rposition(asked).map_or(0, |at| at + 1);
        let mut messages = all[..opening].to_vec();
        let anew = prompt::anew(&last.text);
        match messages.last_mut() {
            // Many servers want the two sides to take turns.
            Some(Message::User { text, .. }) => *text = format!("{text}\n\n{anew}"),
            _ => messages.push(Message::user(anew)),
        }
        messages
    }

    /// Keeps what has left beside the conversation.
    pub(crate) fn keep_asides(&self, number: u32, bench: &mut Workbench<'_>) -> Result<(), AgentError> {
        self.model.take_asides().into_iter().try_for_each(|sending| bench.sent(number, sending))
    }

    /// One answer of the model, with patience for passing trouble.
    async fn turn(
        &self,
        number: u32,
        request: &TurnRequest,
        bench: &mut Workbench<'_>,
        stop: &CancellationToken,
    ) -> Result<Turn, AgentError> {
        let mut failed = 0;
        loop {
            let mut trouble = None;
            let mut sink = |delta| {
                let kept = match delta {
                    Delta::Text(text) => bench.record(Event::Text { turn: number, text }),
                    Delta::Reasoning(text) => bench.record(Event::Reasoning { turn: number, text }),
                    Delta::Sending(sending) => bench.sent(number, sending),
                    Delta::ToolCall(_) => return,
                };
                if let Err(error) = kept {
                    trouble.get_or_insert(error);
                }
            };
            let answered = self.model.turn(request, &mut sink, stop).await;
            if let Some(error) = trouble {
                return Err(error);
            }
            self.keep_asides(number, bench)?;
            match answered {
                Ok(turn) => return Ok(turn),
                Err(error) => {
                    failed += 1;
                    let Some(wait) = wait_after(&error, failed) else { return Err(error.into()) };
                    bench.record(Event::Waiting {
                        turn: number,
                        wait_s: wait.as_secs_f64(),
                        reason: passing_trouble(&error),
                    })?;
                    tokio::select! {
                        () = tokio::time::sleep(wait) => {}
                        () = stop.cancelled() => return Err(ModelError::Stopped.into()),
                    }
                }
            }
        }
    }
}

/// Why the model is asked again, for the person.
fn passing_trouble(error: &ModelError) -> String {
    match error {
        ModelError::RateLimited { .. } => "The model's provider asks to slow down.".into(),
        ModelError::Loading(_) => "The model is being loaded on its server.".into(),
        ModelError::Unreachable { host, .. } => format!("Nobody answers at {host}."),
        _ => "The model's server failed.".into(),
    }
}

/// Shortens results of steps and keeps the whole ones in the workspace. Whether there was anything to shorten.
async fn shorten_results(
    conversation: &mut Conversation,
    excess: usize,
    bench: &mut Workbench<'_>,
    stop: &CancellationToken,
) -> Result<bool, AgentError> {
    let note = |number| format!("all of it is in {}", place_of_result(number));
    let shortened = shorten(conversation.messages_mut(), excess, note);
    for (number, whole) in &shortened {
        bench.put(&place_of_result(*number), whole, stop).await?;
    }
    if let Ok(results @ 1..) = u32::try_from(shortened.len()) {
        bench.record(Event::Shortened { results })?;
    }
    Ok(!shortened.is_empty())
}

/// Where the whole text of a shortened result is.
fn place_of_result(number: usize) -> String {
    format!("work/results/{:02}.txt", number + 1)
}
