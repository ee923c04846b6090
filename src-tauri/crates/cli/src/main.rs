//! The headless front: the `assay` command. It knows the engine only.

mod arguments;
mod asking;
mod check;
mod doctor;
mod engines;
mod exit;
mod export;
mod image;
mod inspect;
mod progress;
mod rerun;
mod run;

use clap::Parser;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;

fn main() -> std::process::ExitCode {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("ASSAY_LOG").unwrap_or_else(|_| "warn".into()),
        )
        .with_writer(std::io::stderr)
        .init();
    match start(arguments) {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("assay: {error:#}");
            Exit::Failed.into()
        }
    }
}

fn start(arguments: Arguments) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let exit = runtime.block_on(async {
        match arguments.command {
            Command::Run(arguments) => run::run(arguments).await,
            Command::Rerun(arguments) => rerun::rerun(arguments).await,
            Command::Check(arguments) => check::check(&arguments),
            Command::Export(arguments) => Ok(export::export(&arguments)),
            Command::Inspect(arguments) => inspect::inspect(&arguments),
            Command::Convert(arguments) => Ok(inspect::convert(&arguments)),
            Command::Image(arguments) => image::image(arguments).await,
            Command::Doctor(arguments) => doctor::doctor(arguments).await,
            Command::Engines(arguments) => engines::engines(arguments).await,
        }
    });
    // A file that is still being read when the person stops must not keep the program.
    runtime.shutdown_background();
    exit
}
