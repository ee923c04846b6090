//! A finished run of 1,000 steps with 100 charts, put into the app's store as a real one would be.

use std::path::Path;

use assay_engine::{
    Budget, Event, Expected, Guidance, ModelCard, Policy, Rows, RunEvent, RunRecord, RunStatus,
};
use assay_store::Store;
use serde_json::{Value, json};

pub(crate) const RUN: &str = "20250101-120000-bench";
pub(crate) const STEPS: u32 = 1000;
pub(crate) const CHARTS: u32 = 100;

const AT: &str = "2025-01-01T12:00:00.000Z";
/// Charts as the analyst draws them.
const PICTURES: [&[u8]; 3] = [
    include_bytes!("../../../ui/src/platform/mock/run/event_1.png"),
    include_bytes!("../../../ui/src/platform/mock/run/event_2.png"),
    include_bytes!("../../../ui/src/platform/mock/run/unusual_periods.png"),
];

/// Writes the run into the app's folder.
pub(crate) fn write(home: &Path) {
    let output = home.join("runs").join(RUN).join("output");
    std::fs::create_dir_all(output.join("charts")).unwrap();
    for (chart, picture) in (1..=CHARTS).zip(PICTURES.iter().cycle()) {
        std::fs::write(output.join(chart_path(chart)), picture).unwrap();
    }
    std::fs::write(output.join("report.md"), report()).unwrap();
    let record = RunRecord {
        id: RUN.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        request: "Which regions differ?".into(),
        files: Vec::new(),
        prepared: Vec::new(),
        model: card(),
        runtime: "docker".into(),
        policy: Policy::default(),
        budget: Budget::default(),
        guidance: Guidance::default(),
        rows: Rows::default(),
        expected: Expected::of_request("", &[]),
        again: None,
    };
    let store = Store::open(&home.join("assay.db")).unwrap();
    store.begin(RUN, AT, &record.request, &serde_json::to_string(&record).unwrap()).unwrap();
    for event in events() {
        store.append(RUN, AT, &serde_json::to_string(&event).unwrap()).unwrap();
    }
    store.end(RUN, "2025-01-01T12:20:00.000Z", "done").unwrap();
}

fn card() -> ModelCard {
    let card = json!({
        "name": "scripted", "host": "127.0.0.1", "is_ai": true, "capabilities": {"images": false},
    });
    serde_json::from_value(card).unwrap()
}

fn chart_path(chart: u32) -> String {
    format!("charts/region_{chart:03}.png")
}

fn report() -> String {
    let sections = (1..=CHARTS).map(|chart| {
        format!(
            "## Region {chart}\n\nDeliveries took {}.4 days in the median, which is {chart} % above the year \
             before. The longest took 31 days, in March.\n\n![Days of delivery in region {chart}]({})\n\n\
             | month | orders | days |\n|---|---:|---:|\n| January | 1,204 | 3.1 |\n| February | 998 | 4.2 |\n\n",
            chart % 9,
            chart_path(chart),
        )
    });
    std::iter::once("# Deliveries by region\n\nRegions differ.\n\n".to_owned()).chain(sections).collect()
}

/// Events as the loop writes them, each through its own type.
fn events() -> Vec<RunEvent> {
    let facts = json!({
        "runtime": "docker", "image": "assay-sandbox", "staging": "mounted",
        "inventory": {"python": "3.12.0", "packages": {"pandas": "2.3.0"}},
    });
    let start = json!({"event": "run_started", "run": RUN, "model": card(), "runtime": "docker"});
    let mut events = vec![parse(start)];
    events.push(parse(json!({"event": "sandbox_ready", "facts": facts})));
    events.push(parse(json!({"event": "briefed", "instructions": "", "opening": ""})));
    for step in 1..=STEPS {
        let code = format!(
            "import pandas as pd\nregion = table[table['region'] == {step}]\nby_month = region.groupby('month')\n\
             summary = by_month['days'].agg(['count', 'median', 'max'])\nprint(summary.to_string())\n"
        );
        let output: String = (1..=12)
            .map(|month| format!("{month:>2}  {:>6}  {:>4}\n", month * step, (month + step) % 31))
            .collect();
        events.push(parse(json!({"event": "turn_started", "turn": step})));
        events.push(parse(json!({
            "event": "step_started", "step": step, "turn": step, "call": format!("c{step}"),
            "tool": "run_python", "title": format!("Looking at region {step}"), "arguments": {"code": code},
        })));
        events.push(parse(json!({
            "event": "step_ended", "step": step, "ok": !step.is_multiple_of(50), "observation": output,
            "outcome": outcome(step, &output),
        })));
        if step <= CHARTS {
            let path = chart_path(step);
            events
                .push(parse(json!({"event": "artifact_saved", "step": step, "path": path, "size": 47_303})));
        }
    }
    events.push(RunEvent::Agent(Event::RunEnded {
        status: RunStatus::Done,
        answer: "Regions differ.".into(),
        remarks: Vec::new(),
    }));
    events
}

fn outcome(step: u32, output: &str) -> Value {
    let nothing = json!({"head": "", "tail": "", "skipped_bytes": 0, "full_text": null});
    json!({
        "step": step, "status": if step.is_multiple_of(50) { "error" } else { "ok" }, "duration_ms": 41.0,
        "stdout": {"head": output, "tail": "", "skipped_bytes": 0, "full_text": null}, "stderr": nothing,
        "error": null, "exit_code": null, "message": null, "changed": [], "removed": [], "refused": [],
        "restarted": false,
    })
}

fn parse(event: Value) -> RunEvent {
    serde_json::from_value(event).unwrap()
}
