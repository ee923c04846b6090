//! The loop that turns a request into artifacts.
//!
//! An [`Agent`] is instructions + model + tools + output contract. It asks the model for a turn, runs the
//! tool calls in the sandbox, answers with bounded observations, and goes on until the model ends and the
//! [`Contract`] holds, or a limit is reached. Everything that happens is an [`Event`]; the [`Recorder`] has
//! put it on disk before the next thing begins.
//!
//! This crate knows the traits of `assay-model` and `assay-sandbox`, never a provider or a runtime. It
//! does not know what a table or a report is: the engine gives it the opening message and the contract.

mod agent;
mod artifacts;
mod budget;
mod context;
mod contract;
mod conversation;
mod event;
mod form;
mod hints;
mod observation;
mod outbox;
mod prompt;
mod question;
mod recovery;
mod repair;
mod repeatable;
mod replay;
mod retry;
mod stuck;
mod surroundings;
mod tools;
mod turn;
mod workbench;

pub use agent::{Agent, AgentError, RunEnd, RunStatus};
pub use budget::{Budget, Prices, Spent};
pub use contract::{Contract, Gap};
pub use conversation::Conversation;
pub use event::{Event, Recipient, Recorder};
pub use outbox::{Request, requests};
pub use prompt::{Guidance, instructions, is_from_the_person, opening_message};
pub use question::{Nobody, Person, Question};
pub use repeatable::{Repeatable, repeatable};
pub use replay::replay;
pub use surroundings::{Surroundings, TableNames};
pub use workbench::Workbench;
