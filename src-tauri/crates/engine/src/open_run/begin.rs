//! How a run comes to be open: asked for, done again, or taken up from the history.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use assay_agent::{Conversation, Event, Guidance, Surroundings};
use assay_model::{Model, Sending};
use assay_sandbox::Manifest;
use tokio_util::sync::CancellationToken;

use super::{Ahead, OpenRun, Talk, loop_events};
use crate::again::{self, Again, AgainRequest, Helper, Past, Restaged};
use crate::contract::Expected;
use crate::discreet::Discreet;
use crate::engine::Engine;
use crate::event::EngineEvent;
use crate::input::{Input, ReadInput, manifest, name_inputs, read_at_once, read_input};
use crate::model_choice::ModelChoice;
use crate::problem::{Code, Problem};
use crate::recorder::{Watcher, now};
use crate::run::{PreparedFile, Rows, RunRecord, RunRequest};
use crate::staging::{self, inputs_of, to_prepare};

impl OpenRun {
    /// Checks that everything is usable and puts the run on record. Nothing is sent to a model before the
    /// files, the engine, the image and the model itself have been found usable.
    pub(crate) async fn begin(
        engine: &Engine,
        request: &RunRequest,
        ahead: Option<Ahead>,
        watch: &mut Watcher<'_>,
        stop: &CancellationToken,
    ) -> Result<Self, Problem> {
        if request.ask.trim().is_empty() {
            return Err(Problem::new(Code::Input, "No question was asked.", "Say what you want to know."));
        }
        engine.check_rows(request.rows)?;
        let inputs = name_inputs(&request.files, &request.settings)?;
        let reads = read_inputs(&inputs, &request.leave_out, watch, stop).await?;
        let Ready { runtime, mut model, guidance, asides } =
            ready(engine, &request.model, request.guidance).await?;
        if request.rows == Rows::KeptHere && model.card().is_ai {
            model = Box::new(Discreet::new(model, words(reads.clone()).await?));
        }
        let names: Vec<String> = inputs.iter().map(|input| input.destination.clone()).collect();
        let prepared = to_prepare(&inputs, &reads);
        // A sandbox that was opened ahead holds the files as they are, and nothing beside them.
        let (ahead, useless) = if prepared.is_empty() { (ahead, None) } else { (None, ahead) };
        Ahead::let_go(useless).await;
        let id = ahead.as_ref().map_or_else(run_id, |ahead| ahead.run.clone());
        let staged = stage(engine, &id, (&inputs, &reads, &prepared), watch, stop).await?;
        let tables = reads.into_iter().map(|read| read.table).collect();
        let record = RunRecord {
            id,
            version: env!("CARGO_PKG_VERSION").into(),
            request: request.ask.trim().into(),
            files: manifest(&inputs)?.files().to_vec(),
            prepared,
            model: model.card(),
            runtime: runtime.into(),
            policy: request.policy.clone(),
            budget: request.budget,
            guidance,
            rows: request.rows,
            expected: Expected::of_request(&request.ask, &names).with_choice(request.give),
            again: None,
        };
        let talk = Talk::Opening(tables, request.notes.clone());
        let mut run = Self::on_record(engine, record, staged, model, talk)?;
        run.ahead = ahead;
        run.lesson = request.model.lesson();
        run.asides = asides;
        Ok(run)
    }

    /// Puts an earlier run that is done again on record. No model is asked, not even whether it is there.
    pub(crate) async fn again(
        engine: &Engine,
        request: &AgainRequest,
        watch: &mut Watcher<'_>,
        stop: &CancellationToken,
    ) -> Result<Self, Problem> {
        let past = Past::open(engine, &request.run)?;
        let rows = if request.rows == Rows::KeptHere { request.rows } else { past.record.rows };
        engine.check_rows(rows)?;
        let (plan, staged) = again::prepare(engine, &past, request)?;
        let runtime = engine.make_ready().await?;
        let Restaged { inputs, reads, frames } = staged;
        for read in &reads {
            watch(&EngineEvent::FileRead { table: Box::new(read.table.clone()) }.into());
        }
        let id = run_id();
        let prepared = to_prepare(&inputs, &reads);
        let staged = stage(engine, &id, (&inputs, &reads, &prepared), watch, stop).await?;
        let guidance = past.record.guidance;
        let budget = plan.room_in(request.budget);
        let of = plan.of.clone();
        let helper = helper(engine, &request.model, guidance, rows, &reads).await?;
        let model = Again::new(engine.clone(), id.clone(), plan, helper);
        let tables = reads.into_iter().map(|read| read.table).collect();
        let record = RunRecord {
            id,
            version: env!("CARGO_PKG_VERSION").into(),
            request: past.record.request.clone(),
            files: manifest(&inputs)?.files().to_vec(),
            prepared,
            model: model.card(),
            runtime: runtime.into(),
            policy: request.policy.clone(),
            budget,
            guidance,
            rows,
            expected: past.record.expected.clone(),
            again: Some(of),
        };
        let further = past.asked_further().into_iter().map(|ask| format!("Asked further: {ask}"));
        let notes: Vec<String> = [past.notes.clone()].into_iter().chain(further).collect();
        let talk = Talk::Opening(tables, notes.join("\n").trim().to_owned());
        let mut run = Self::on_record(engine, record, staged, Box::new(model), talk)?;
        run.frames = frames;
        run.lesson = request.model.lesson();
        Ok(run)
    }

    fn on_record(
        engine: &Engine,
        record: RunRecord,
        manifest: Manifest,
        model: Box<dyn Model>,
        talk: Talk,
    ) -> Result<Self, Problem> {
        let output = engine.run_folder(&record.id).join("output");
        std::fs::create_dir_all(&output).map_err(|error| Problem::storage(&error))?;
        let store = engine.open_store()?;
        let kept = serde_json::to_string(&record).map_err(|error| Problem::storage(&error))?;
        store.begin(&record.id, &now(), &record.request, &kept)?;
        Ok(Self {
            engine: engine.clone(),
            record,
            manifest,
            model,
            store,
            output,
            talk,
            surroundings: Surroundings::default(),
            frames: Vec::new(),
            lesson: None,
            asides: Vec::new(),
            ahead: None,
            session: None,
            seat: None,
        })
    }

    /// Takes up a run of the history. Its files must still be what they were.
    pub(crate) async fn take_up(engine: &Engine, id: &str, choice: &ModelChoice) -> Result<Self, Problem> {
        let store = engine.open_store()?;
        let unknown = || Problem::new(Code::Input, "This run is not in the history.", "Start a new one.");
        let row = store.run(id)?.ok_or_else(unknown)?;
        let record: RunRecord =
            serde_json::from_str(&row.record).map_err(|error| Problem::storage(&error))?;
        engine.check_rows(record.rows)?;
        let inputs = inputs_of(&record);
        if manifest(&inputs)?.files() != record.files {
            return Err(Problem::new(
                Code::Input,
                "A file of this run has changed since.",
                "Start a new run on the file as it is now.",
            ));
        }
        let staged = staging::manifest(&inputs, &record.prepared, &engine.input_folder(id))?;
        let events = loop_events(&store, id)?;
        let talk = Conversation::from_events(&events).map(Talk::Going).ok_or_else(|| {
            Problem::new(Code::Input, "This run never got as far as a question.", "Start a new one.")
        })?;
        let surroundings = events.iter().find_map(|event| match event {
            Event::Briefed { surroundings, .. } => Some(surroundings.clone()),
            _ => None,
        });
        let (surroundings, lesson) = (surroundings.unwrap_or_default(), choice.lesson());
        let asked_further = events.iter().any(|event| matches!(event, Event::Asked { .. }));
        let plan = if asked_further { None } else { again::resume(engine, &record) };
        let (model, asides) = match plan {
            // What does an earlier run again goes on with its steps.
            Some(plan) => {
                engine.make_ready().await?;
                let reads = inputs.iter().map(read_at_once).collect::<Result<Vec<_>, _>>()?;
                let helper = helper(engine, choice, record.guidance, record.rows, &reads).await?;
                let model = Again::new(engine.clone(), record.id.clone(), plan, helper);
                (Box::new(model) as Box<dyn Model>, Vec::new())
            }
            None => thinker(engine, choice, &record, &inputs).await?,
        };
        let output = engine.run_folder(id).join("output");
        let engine = engine.clone();
        Ok(Self {
            engine,
            record,
            manifest: staged,
            model,
            store,
            output,
            talk,
            surroundings,
            frames: Vec::new(),
            lesson,
            asides,
            ahead: None,
            session: None,
            seat: None,
        })
    }
}

impl OpenRun {
    /// Whether it only does an earlier run again: a further question needs somebody who thinks.
    pub(crate) fn is_repeating(&self) -> bool {
        !self.model.can_be_told()
    }

    /// Lets a model answer from here on.
    pub(crate) async fn think_with(&mut self, choice: &ModelChoice) -> Result<(), Problem> {
        let inputs = inputs_of(&self.record);
        let (model, asides) = thinker(&self.engine, choice, &self.record, &inputs).await?;
        self.model = model;
        self.asides.extend(asides);
        self.lesson = choice.lesson();
        Ok(())
    }
}

/// A model for a run that is on record, and what was asked of its server.
async fn thinker(
    engine: &Engine,
    choice: &ModelChoice,
    record: &RunRecord,
    inputs: &[Input],
) -> Result<(Box<dyn Model>, Vec<Sending>), Problem> {
    let Ready { mut model, asides, .. } = ready(engine, choice, Some(record.guidance)).await?;
    if record.rows == Rows::KeptHere && model.card().is_ai {
        let reads = inputs.iter().map(read_at_once).collect::<Result<Vec<_>, _>>()?;
        model = Box::new(Discreet::new(model, words(reads).await?));
    }
    Ok((model, asides))
}

/// Whoever mends steps of an earlier run on a new file. The built-in analyst cannot.
async fn helper(
    engine: &Engine,
    choice: &ModelChoice,
    guidance: Guidance,
    rows: Rows,
    reads: &[ReadInput],
) -> Result<Option<Helper>, Problem> {
    let mut model = taught(engine, choice)?.guided(guidance).build()?;
    if !model.card().is_ai {
        return Ok(None);
    }
    if rows == Rows::KeptHere {
        model = Box::new(Discreet::new(model, words(reads.to_vec()).await?));
    }
    Ok(Some(Helper::new(model)))
}

/// The choice with what its server taught before.
fn taught(engine: &Engine, choice: &ModelChoice) -> Result<ModelChoice, Problem> {
    let learnt = match choice.lesson() {
        Some(lesson) => engine.open_store()?.setting(&lesson)?,
        None => None,
    };
    Ok(choice.clone().taught(learnt.and_then(|learnt| serde_json::from_str(&learnt).ok())))
}

/// A model that was found usable.
struct Ready {
    /// The name of the runtime that is used.
    runtime: &'static str,
    model: Box<dyn Model>,
    guidance: Guidance,
    /// What was asked of its server to find that out.
    asides: Vec<Sending>,
}

/// Checks engine, image and model, and removes what dead owners have left. How much the model is told is found
/// out where it is not said.
async fn ready(engine: &Engine, choice: &ModelChoice, guidance: Option<Guidance>) -> Result<Ready, Problem> {
    let runtime = engine.make_ready().await?;
    let choice = taught(engine, choice)?;
    let model = choice.build()?;
    model.check().await?;
    let guidance = match guidance {
        Some(guidance) => guidance,
        None => choice.guidance(&*model).await,
    };
    let asides = model.take_asides();
    Ok(Ready { runtime, model: choice.guided(guidance).build()?, guidance, asides })
}

async fn read_inputs(
    inputs: &[Input],
    leave_out: &[(PathBuf, String)],
    watch: &mut Watcher<'_>,
    stop: &CancellationToken,
) -> Result<Vec<ReadInput>, Problem> {
    let mut reads = Vec::new();
    for input in inputs {
        watch(&EngineEvent::ReadingFile { name: input.destination.clone() }.into());
        let (own, stopped) = (input.clone(), stop.clone());
        let reading = tokio::task::spawn_blocking(move || {
            read_input(&own, &mut |_, _| {
                if stopped.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        let mut read = tokio::select! {
            read = reading => read.map_err(|error| Problem::storage(&error))??,
            () = stop.cancelled() => return Err(Problem::stopped()),
        };
        let chosen: Vec<String> =
            leave_out.iter().filter(|(path, _)| *path == input.path).map(|(_, id)| id.clone()).collect();
        assay_tabular::leave_out(&mut read.table, &chosen);
        watch(&EngineEvent::FileRead { table: Box::new(read.table.clone()) }.into());
        reads.push(read);
    }
    Ok(reads)
}

/// Writes the prepared tables into the folder of the run, and lists what its sandbox gets.
async fn stage(
    engine: &Engine,
    run: &str,
    (inputs, reads, prepared): (&[Input], &[ReadInput], &[PreparedFile]),
    watch: &mut Watcher<'_>,
    stop: &CancellationToken,
) -> Result<Manifest, Problem> {
    let folder = engine.input_folder(run);
    let mut preparing = |name: &str| watch(&EngineEvent::PreparingFile { name: name.to_owned() }.into());
    let written = staging::write(&folder, inputs, reads, &mut preparing, stop).await;
    let staged = written.and_then(|()| staging::manifest(inputs, prepared, &folder));
    if staged.is_err() {
        // Nothing of a run that never was stays.
        let _ = std::fs::remove_dir_all(engine.run_folder(run));
    }
    if stop.is_cancelled() { Err(Problem::stopped()) } else { staged }
}

/// The words of all the files' cells.
async fn words(reads: Vec<ReadInput>) -> Result<HashSet<Box<str>>, Problem> {
    let reading = tokio::task::spawn_blocking(move || -> Result<_, Problem> {
        let mut found = HashSet::new();
        for read in reads {
            found.extend(read.reading.words()?);
        }
        Ok(found)
    });
    reading.await.map_err(|error| Problem::internal(&error))?
}

/// A short id that sorts by time: `20260131-142501-k3fq`.
pub(crate) fn run_id() -> String {
    let time = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let tail: String = (0..4).map(|_| fastrand::alphanumeric().to_ascii_lowercase()).collect();
    format!("{time}-{tail}")
}
