//! What can go wrong with a provider that runs the code.

/// Trouble with the provider, never of the code that ran.
#[derive(Debug, thiserror::Error)]
pub enum HostedError {
    /// The person has not said that the files may leave this computer.
    #[error(
        "the files of a run would leave this computer: they would be sent to {host}, where the code runs"
    )]
    ConsentMissing {
        /// Where they would go.
        host: String,
    },
    /// The settings cannot be used.
    #[error("the hosted sandbox cannot be used as it is set up: {0}")]
    Settings(String),
    /// The provider does not accept the key, or none was given.
    #[error("{host} does not accept the key")]
    WrongKey {
        /// Who refused.
        host: String,
    },
    /// The provider cannot be reached.
    #[error("{host} cannot be reached: {reason}")]
    Unreachable {
        /// Who was to be reached.
        host: String,
        /// What the system said.
        reason: String,
    },
    /// The provider refused a request, or failed at it again and again.
    #[error("the provider refused (HTTP {status}): {reason}")]
    Refused {
        /// The last status.
        status: u16,
        /// What it said, printable and shortened.
        reason: String,
    },
    /// The container is no longer there; it ends after 20 minutes without use.
    #[error("the provider's container has ended: {0}")]
    Gone(String),
    /// The provider's model was asked twice to run one line, and ran something else or nothing.
    #[error("the provider's model did not run the line that it was given: {0}")]
    Disobeyed(String),
    /// The line ran twice, and what it should leave did not come.
    #[error("the provider's container gave no answer: {0}")]
    Unanswered(String),
}
