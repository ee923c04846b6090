//! What can be said on the command line.

use std::path::PathBuf;

use assay_engine::{
    ApiKey, BUILT_IN, Budget, Code, Consent, DockerSettings, Engine, EngineChoice, HOSTED_CAVEATS, HostedKey,
    HostedSettings, ModelChoice, Policy, Prices, Problem, RemoteConfig, RuntimeChoice, SandboxSettings,
    ToolUse, Wire, export_forms,
};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

const EXIT_CODES: &str = "\
Exit codes:
  0    the run is done, or everything is ready
  1    something failed on the way
  2    the request or a file cannot be used
  3    the engine, the image or the model is not ready
  4    the run ended without all that was expected, or a figure of the report was not found
  5    a limit of time, turns, steps, tokens or money was reached
  6    paused: the provider asks for a long wait, or the sandbox was lost; what was finished is kept
  130  stopped (Ctrl-C)

Environment:
  ASSAY_MODEL, ASSAY_BASE_URL, ASSAY_API_KEY   the model, when --model is not given; the key is read only here
  ASSAY_HOSTED_KEY   the key for --runtime hosted, where it is another one than ASSAY_API_KEY
  ASSAY_HOME   the folder for runs and history
  ASSAY_LOG    technical messages, for example `debug`
  DOCKER_HOST  the engine's address, when --engine is not given; DOCKER_CONTEXT, DOCKER_TLS_VERIFY and
               DOCKER_CERT_PATH mean what they mean for Docker's client";

/// Ask a question about tables; code is written and run in a sealed sandbox until there is a report.
#[derive(Debug, Parser)]
#[command(name = "assay", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Answer a question about one or more table files
    Run(RunArguments),
    /// Do an earlier run again on a new file, without a model, and say what changed
    Rerun(RerunArguments),
    /// Say which figures of a run's report were computed, and which were not found
    Check(CheckArguments),
    /// Write a run as a document, or with everything to do it again
    Export(ExportArguments),
    /// Say how a table file is read, and what is in it
    Inspect(InspectArguments),
    /// Write a table file as a clean CSV: UTF-8, commas, one header row, ISO dates, plain decimals
    Convert(ConvertArguments),
    /// Say what is ready (engine, image, model) and what to do about what is not
    Doctor(DoctorArguments),
    /// List the engines that code can run on, with their capacity, and give names to further ones
    Engines(EnginesArguments),
    /// List the images that sandboxes start from, make them, fetch them, and remove old ones
    Image(ImageArguments),
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct InspectArguments {
    /// The table file
    pub(crate) file: PathBuf,
    /// Print everything as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Decide what the file leaves open, such as `delimiter=semicolon`, `header=4`, `decimal=,`,
    /// `dates=day-first` or `type:zip=text`; may be said several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ConvertArguments {
    /// The table file
    pub(crate) file: PathBuf,
    /// Where the clean CSV goes; what was decided goes beside it, with `.tables.json` behind the name
    pub(crate) out: PathBuf,
    /// Decide what the file leaves open, as for `assay inspect`; may be said several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Write over a file that is there
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ImageArguments {
    /// What to do; without it, Assay's own images are listed
    #[command(subcommand)]
    pub(crate) command: Option<ImageCommand>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
    /// Print everything as JSON, a line each
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImageCommand {
    /// Make Assay's image; what was made before a stop is not made again
    Build {
        /// A package that code may use in addition, such as `humanize` or `humanize==4.9.0`; may be said several
        /// times. The name that is printed is for `--image` of a run
        #[arg(long = "package", value_name = "NAME")]
        packages: Vec<String>,
    },
    /// Fetch an image from its registry; what came in before a stop is kept
    Pull {
        /// The image
        #[arg(value_name = "IMAGE")]
        name: String,
    },
    /// Load an image from a file that `docker save` has written, for computers that reach no registry
    Load {
        /// The file, packed or not
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Remove images of earlier versions that Assay has made and no container uses
    Prune,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CheckArguments {
    /// The run: its id, the beginning of it, or `latest`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// List every figure with where it comes from, not only those that were not found
    #[arg(long)]
    pub(crate) all: bool,
    /// Print everything as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ExportArguments {
    /// The run: its id, the beginning of it, or `latest`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The form
    #[arg(long, value_name = "FORM", value_parser = form())]
    pub(crate) to: String,
    /// The file to write, or for `folder` the folder; without it a name is made from the run's title
    #[arg(long, value_name = "PLACE")]
    pub(crate) out: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct RunArguments {
    /// The tables: CSV or Excel files. They are only read
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What you want to know
    #[arg(long, value_name = "QUESTION")]
    pub(crate) ask: String,
    /// Copy the results to this folder: a new or empty one, or one with an earlier result
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// Decide how the file is read where that is open, as for `assay inspect`; may be said several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Give only an answer in words, no report
    #[arg(long)]
    pub(crate) answer_only: bool,
    /// Keep the rows of the files on this computer: the model gets names, types and figures only
    #[arg(long)]
    pub(crate) keep_rows: bool,
    /// How much the model is told; without it, its own room decides
    #[arg(long, value_enum)]
    pub(crate) guidance: Option<GuidanceName>,
    /// Print every event as a line of JSON, and nothing else, to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct RerunArguments {
    /// The earlier run: its id, the beginning of it, or `latest`
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The new file, in the place of the earlier one. It is only read
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// A column that the new file calls otherwise, such as `amount=Amount (EUR)`; may be said several times
    #[arg(long = "column", value_name = "OLD=NEW")]
    pub(crate) columns: Vec<String>,
    /// The earlier file that the new one takes the place of, where the run had several
    #[arg(long = "for", value_name = "NAME")]
    pub(crate) instead_of: Option<String>,
    /// Copy the results to this folder: a new or empty one, or one with an earlier result
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Who may mend a step that does not work on the new file; it is asked nothing else
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// Keep the rows of the files on this computer: a model that mends gets names, types and figures only
    #[arg(long)]
    pub(crate) keep_rows: bool,
    /// Print every event as a line of JSON, and nothing else, to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
    /// Open a sandbox and look whether every limit holds inside
    #[arg(long = "sandbox")]
    pub(crate) look_inside: bool,
    /// Make the sandbox where it has not been made on this computer yet; it takes a few minutes, once
    #[arg(long)]
    pub(crate) make: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct EnginesArguments {
    /// Give an engine a name, for `--engine NAME`; one with this name is replaced
    #[arg(long, value_name = "NAME", requires = "address", conflicts_with = "remove")]
    pub(crate) add: Option<String>,
    /// The address of the one that is added, such as `ssh://ann@box` or `tcp://box:2376`
    #[arg(long, value_name = "ADDRESS", requires = "add")]
    pub(crate) address: Option<String>,
    /// A folder with ca.pem, cert.pem and key.pem, for a secure connection to a `tcp://` address
    #[arg(long, value_name = "DIR", requires = "add")]
    pub(crate) certificates: Option<PathBuf>,
    /// How many runs it takes at a time
    #[arg(long, value_name = "COUNT", requires = "add", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) runs: u32,
    /// Take a name from the list
    #[arg(long, value_name = "NAME")]
    pub(crate) remove: Option<String>,
    /// Look as if this were the address of the settings
    #[arg(long = "engine", alias = "docker-host", value_name = "ADDRESS")]
    pub(crate) usual: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
    /// Longest time for one step, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    step_limit: u64,
    /// Longest time for the whole run, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1800, value_parser = clap::value_parser!(u64).range(1..))]
    run_limit: u64,
    /// Most tool calls
    #[arg(long, value_name = "COUNT", default_value_t = Budget::default().steps, value_parser = clap::value_parser!(u32).range(1..))]
    max_steps: u32,
    /// Most tokens, read and written together
    #[arg(long, value_name = "COUNT", default_value_t = Budget::default().tokens, value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: u64,
    /// Most money, in US dollars, as far as what an answer costs is known
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    max_cost: Option<u64>,
    /// What a million tokens cost, read and written, in US dollars, such as `2.50,10`; the provider's own word
    /// on an answer goes before it
    #[arg(long, value_name = "IN,OUT", value_parser = prices)]
    price: Option<Prices>,
}

#[derive(Debug, Args)]
pub(crate) struct ModelArguments {
    /// The model's name at the endpoint, or `built-in` for the built-in analyst (rules, no AI)
    #[arg(long, value_name = "NAME", env = "ASSAY_MODEL", default_value = BUILT_IN)]
    model: String,
    /// The endpoint's address, up to and with its version
    #[arg(long, value_name = "URL", env = "ASSAY_BASE_URL", default_value = "https://api.openai.com/v1")]
    base_url: String,
    /// How requests are written
    #[arg(long, value_enum, default_value_t = WireName::Chat)]
    wire: WireName,
    /// The model looks at pictures
    #[arg(long)]
    images: bool,
    /// The model knows no tool calls: it writes its code as text
    #[arg(long)]
    text_tools: bool,
    /// A PEM file with certificates to trust besides the system's
    #[arg(long, value_name = "FILE")]
    extra_ca: Option<PathBuf>,
}

/// The wire formats.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum WireName {
    /// Chat Completions, which nearly every server speaks
    Chat,
    /// OpenAI's Responses
    Responses,
    /// Anthropic's Messages
    Messages,
}

/// How much a model is told.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum GuidanceName {
    /// Everything
    Full,
    /// As little as does, for small models
    Short,
}

#[derive(Debug, Args)]
pub(crate) struct SandboxArguments {
    /// Where the code runs
    #[arg(long, value_enum, default_value_t = RuntimeName::Auto)]
    runtime: RuntimeName,
    /// The engine: an address such as `unix:///var/run/docker.sock`, `ssh://ann@box` or `tcp://box:2376`, a name of
    /// `assay engines`, or `any` for the first of those with a free place
    #[arg(long, alias = "docker-host", value_name = "ADDRESS|NAME|any")]
    engine: Option<String>,
    /// Any image with Python 3.9 or newer, instead of Assay's own
    #[arg(long, value_name = "IMAGE")]
    image: Option<String>,
    /// Which of the engine's runtimes runs the sandbox, such as `runsc`, instead of its default
    #[arg(long, value_name = "NAME")]
    engine_runtime: Option<String>,
    /// With --runtime hosted: the files of the run may leave this computer for the provider
    #[arg(long)]
    files_may_leave: bool,
    /// With --runtime hosted: the provider's address, up to and with its version
    #[arg(long, value_name = "URL")]
    hosted_url: Option<String>,
    /// With --runtime hosted: the model that lets the code run there; a small one will do
    #[arg(long, value_name = "NAME")]
    hosted_model: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RuntimeName {
    /// Docker, or this computer itself where no engine answers
    Auto,
    /// A sealed container of the Docker engine
    Docker,
    /// Sealed by this computer itself: Linux with bubblewrap
    Local,
    /// A provider's container, to which the files are sent; needs --files-may-leave
    Hosted,
}

impl ModelArguments {
    pub(crate) fn choice(&self) -> ModelChoice {
        if self.model == BUILT_IN {
            return ModelChoice::BuiltIn;
        }
        let wire = match self.wire {
            WireName::Chat => Wire::ChatCompletions,
            WireName::Responses => Wire::Responses,
            WireName::Messages => Wire::Messages,
        };
        let mut config = RemoteConfig::new(wire, &self.base_url, &self.model);
        config.api_key = std::env::var("ASSAY_API_KEY").ok().as_deref().and_then(ApiKey::new);
        config.images = self.images;
        config.tools = self.text_tools.then_some(ToolUse::Text);
        config.extra_ca.clone_from(&self.extra_ca);
        ModelChoice::Remote(Box::new(config))
    }
}

impl LimitArguments {
    pub(crate) fn policy(&self) -> Policy {
        Policy { step_limit_s: self.step_limit, run_limit_s: self.run_limit, ..Policy::default() }
    }

    pub(crate) fn budget(&self) -> Budget {
        Budget {
            steps: self.max_steps,
            tokens: self.max_tokens,
            cost_microdollars: self.max_cost,
            prices: self.price,
            ..Budget::default()
        }
    }
}

impl SandboxArguments {
    /// The app, with the sandbox that was chosen. A provider is trusted as the model's server is.
    ///
    /// # Errors
    /// When what was said does not go together, or files would leave without a word.
    pub(crate) fn engine(&self, model: &ModelArguments) -> Result<Engine, Problem> {
        let choice = self.choice();
        if self.is_hosted() {
            if choice != EngineChoice::Usual {
                return Err(Problem::new(
                    Code::Input,
                    "A run goes either to an engine or to a provider.",
                    "Leave out --engine, or --runtime hosted.",
                ));
            }
            if !self.files_may_leave {
                return Err(self.not_agreed());
            }
        }
        Engine::new(home(), self.settings(model))?.on(&choice)
    }

    /// Whether no engine is asked for.
    pub(crate) fn is_hosted(&self) -> bool {
        self.runtime == RuntimeName::Hosted
    }

    /// That files would leave, what that means, and how to agree.
    fn not_agreed(&self) -> Problem {
        let address = self.hosted(None).base_url;
        let caveats = HOSTED_CAVEATS.map(|caveat| format!("\n- {caveat}")).concat();
        Problem::new(
            Code::ConsentMissing,
            format!(
                "The files of a run would leave this computer: they are sent to {address}, where the code runs."
            ),
            format!("If you agree, say so with --files-may-leave. What it means:{caveats}"),
        )
    }

    fn hosted(&self, extra_ca: Option<PathBuf>) -> HostedSettings {
        let usual = HostedSettings::default();
        HostedSettings {
            base_url: self.hosted_url.clone().unwrap_or(usual.base_url),
            model: self.hosted_model.clone().unwrap_or(usual.model),
            extra_ca,
            consent: if self.files_may_leave { Consent::FilesMayLeave } else { Consent::Missing },
        }
    }

    /// Where the run goes.
    fn choice(&self) -> EngineChoice {
        match self.engine.as_deref() {
            None => EngineChoice::Usual,
            Some(engine) if is_address(engine) => EngineChoice::Usual,
            Some("any") => EngineChoice::FirstFree,
            Some(name) => EngineChoice::Listed { name: name.into() },
        }
    }

    /// The engine alone, for what is about images.
    pub(crate) fn engine_alone(&self) -> Result<Engine, Problem> {
        Engine::new(home(), self.docker())?.on(&self.choice())
    }

    fn docker(&self) -> DockerSettings {
        DockerSettings {
            address: self.engine.clone().filter(|engine| is_address(engine)),
            image: self.image.clone(),
            engine_runtime: self.engine_runtime.clone(),
            ..DockerSettings::default()
        }
    }

    fn settings(&self, model: &ModelArguments) -> SandboxSettings {
        let runtime = match self.runtime {
            RuntimeName::Auto => RuntimeChoice::Auto,
            RuntimeName::Docker => RuntimeChoice::Docker,
            RuntimeName::Local => RuntimeChoice::Local,
            RuntimeName::Hosted => RuntimeChoice::Hosted,
        };
        let docker = self.docker();
        let key = |name| HostedKey::new(&std::env::var(name).ok()?);
        let hosted_key = match runtime {
            RuntimeChoice::Hosted => key("ASSAY_HOSTED_KEY").or_else(|| key("ASSAY_API_KEY")),
            _ => None,
        };
        SandboxSettings { runtime, docker, hosted: self.hosted(model.extra_ca.clone()), hosted_key }
    }
}

/// Whether it is an address, and not a name.
fn is_address(engine: &str) -> bool {
    engine.contains(':') || engine.contains('/')
}

/// The folder for runs and history, where one is named.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::var_os("ASSAY_HOME").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The forms of export, each with what it is good for.
fn form() -> PossibleValuesParser {
    let forms = export_forms().into_iter();
    PossibleValuesParser::new(forms.map(|form| PossibleValue::new(form.id).help(form.purpose)))
}

/// Dollars as millionths of a dollar.
fn dollars(text: &str) -> Result<u64, String> {
    let amount: f64 = text.trim().parse().map_err(|_| format!("`{text}` is no amount of dollars"))?;
    if !(0.000_001..1e9).contains(&amount) {
        return Err(format!("`{text}` is no amount of dollars that could be spent"));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the range above")]
    Ok((amount * 1e6).round() as u64)
}

fn prices(text: &str) -> Result<Prices, String> {
    let (input, output) = text.split_once(',').ok_or("two prices with a comma between them are needed")?;
    let price = |text: &str| if text.trim() == "0" { Ok(0) } else { dollars(text) };
    Ok(Prices { input_microdollars: price(input)?, output_microdollars: price(output)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_in_dollars() {
        assert_eq!(dollars("1.50"), Ok(1_500_000));
        assert!(dollars("-1").is_err() && dollars("much").is_err() && dollars("NaN").is_err());
        let read = prices("2.5, 0").unwrap();
        assert_eq!((read.input_microdollars, read.output_microdollars), (2_500_000, 0));
        assert!(prices("3").is_err());
    }
}
