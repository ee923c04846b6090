use assay_model::{ToolCall, ToolResult};
use serde_json::json;

use super::*;

const SERIES: &str = r#"<tables>
[{"path":"input/building_energy.csv","format":"csv","rows":8760,"read_with":"pd.read_csv('input/building_energy.csv')","columns":[{"name":"timestamp","kind":"timestamp","missing":0,"distinct":8760,"date_format":"%Y-%m-%d %H:%M:%S"},{"name":"energy_kwh","kind":"decimal","missing":0,"distinct":900},{"name":"outdoor_temp_c","kind":"decimal","missing":0,"distinct":300}]}]
</tables>
<request>
Find unusual energy use and explain it
</request>"#;

const NAMES: &str = r#"<tables>
[{"path":"input/names.csv","rows":3,"read_with":"pd.read_csv('input/names.csv')","columns":[{"name":"name","kind":"text"}]}]
</tables>
<request>Write me a poem</request>"#;

fn of(word: &str) -> &'static Intent {
    intent::of_word(word).unwrap()
}

/// Plays a conversation: `observe` gives the observation of each call by its id.
fn play(opening: &str, observe: impl Fn(&str) -> String, complaints: usize) -> (Vec<String>, Vec<String>) {
    let mut messages = vec![Message::user(opening)];
    let (mut ids, mut finals) = (Vec::new(), Vec::new());
    while finals.len() <= complaints {
        let next = answer(&messages);
        let calls = next.call.iter().map(|call| ToolCall {
            id: call.id.clone(),
            name: "run_python".into(),
            arguments: json!({ "title": call.title, "code": call.code }),
            broken: None,
            extra: serde_json::Map::new(),
        });
        messages.push(Message::Assistant(AssistantMessage {
            text: next.text.clone(),
            calls: calls.collect(),
            ..AssistantMessage::default()
        }));
        if let Some(call) = next.call {
            messages.push(Message::Tool(ToolResult { text: observe(&call.id), call_id: call.id.clone() }));
            ids.push(call.id);
        } else {
            finals.push(next.text);
            messages.push(Message::user("The output contract is broken: output/report.md is missing."));
        }
        assert!(messages.len() < 60, "the analyst does not end");
    }
    (ids, finals)
}

fn all_well(id: &str) -> String {
    format!("status: ok\nid {id}\nAnswer: 3 periods stand out.\n")
}

#[test]
fn the_reference_case_runs_its_steps_and_repeats_the_answer() {
    let (ids, finals) = play(SERIES, all_well, 0);
    let expected: Vec<String> = (1..=7).map(|number| format!("analyst-unusual-{number}")).collect();
    assert_eq!(ids, expected);
    assert_eq!(finals, ["3 periods stand out.\n\nThe report has the details."]);
}

#[test]
fn a_question_that_is_not_understood_gets_an_overview_that_says_so() {
    let (ids, _) = play(NAMES, all_well, 0);
    let expected: Vec<String> = (1..=5).map(|number| format!("analyst-unknown-{number}")).collect();
    assert_eq!(ids, expected);
    let first = answer(&[Message::user(NAMES)]);
    for said in [first.text, first.call.unwrap().code] {
        assert!(said.contains("did not understand this question"), "{said}");
        assert!(said.contains("top and bottom, shares, concentration"), "{said}");
    }
}

#[test]
fn a_failed_step_leads_to_the_simpler_plan_once() {
    for bad in ["status: error\nKeyError", "status: timeout\n", "status: killed\n", "", "failed"] {
        let observe = |id: &str| if id == "analyst-unusual-3" { bad.to_owned() } else { all_well(id) };
        let (ids, finals) = play(SERIES, observe, 0);
        assert_eq!(ids[2..4], ["analyst-unusual-3", "analyst-overview-1"], "{bad}");
        assert_eq!(ids.last().unwrap(), "analyst-overview-5");
        assert_eq!(finals, ["3 periods stand out.\n\nThe report has the details."]);
    }
    let (ids, finals) = play(SERIES, |_| "status: error\nno".to_owned(), 0);
    assert_eq!(ids, ["analyst-unusual-1", "analyst-overview-1", "analyst-plain-1"]);
    assert_eq!(finals, [GAVE_UP]);
    let (ids, _) = play(NAMES, |_| "status: error\nno".to_owned(), 0);
    assert_eq!(ids, ["analyst-unknown-1", "analyst-plain-1"]);
}

#[test]
fn a_broken_contract_is_repaired_once_and_then_admitted() {
    let (ids, finals) = play(SERIES, all_well, 2);
    assert_eq!(ids[7..], ["analyst-unusual-again"]);
    assert_eq!(finals[1], "3 periods stand out.\n\nThe report has the details.");
    assert!(finals[2].contains("cannot make what is still missing"), "{}", finals[2]);
}

#[test]
fn a_repair_writes_the_files_and_nothing_else() {
    let opening = Opening::parse(SERIES).unwrap();
    let talk = Talk { choice: choose(&opening, &[&opening.request]), opening: &opening, failure: None };
    let code = talk.run(Place::Repair(of("unusual"))).call.unwrap().code;
    for file in ["output/anomalies.csv", "output/events.csv", "output/charts/", "output/report.md"] {
        assert!(code.contains(file), "{file}");
    }
    assert!(!code.contains("read_table()"));
}

#[test]
fn the_first_step_names_what_was_chosen() {
    let call = answer(&[Message::user(SERIES)]).call.unwrap();
    assert_eq!(call.title, "Reading the file");
    let constants: Vec<&str> =
        call.code.lines().skip_while(|line| !line.starts_with("TABLE =")).take(12).collect();
    assert_eq!(
        constants,
        [
            r#"TABLE = "input/building_energy.csv""#,
            r#"TABLE_NOTE = """#,
            r#"TIME = "timestamp""#,
            r#"TIME_FORMAT = "%Y-%m-%d %H:%M:%S""#,
            "TIME_HAS_ZONE = False",
            r#"VALUE = "energy_kwh""#,
            r#"VALUE_WORDS = "energy use""#,
            r#"UNIT = "kWh""#,
            r#"HOW_ADDED = "sum""#,
            "IS_USE = True",
            r#"TEMPERATURE = "outdoor_temp_c""#,
            r#"TEMPERATURE_UNIT = "°C""#,
        ]
    );
    assert!(call.code.contains("    return pd.read_csv('input/building_energy.csv')\n"));
}

#[test]
fn names_stay_inside_their_literals() {
    let hostile = r#"x\"\nimport os; os.system('y') #"#;
    let text = SERIES.replace("energy_kwh", hostile);
    let code = answer(&[Message::user(text)]).call.unwrap().code;
    assert!(code.contains(r#"VALUE = "x\"\nimport os; os.system('y') #""#), "{code}");
    assert!(!code.lines().any(|line| line.starts_with("import os;")));
}

#[test]
fn the_same_messages_give_the_same_answer() {
    let messages = [Message::user(SERIES)];
    assert_eq!(answer(&messages), answer(&messages));
}

#[test]
fn an_unreadable_opening_is_said_plainly() {
    let said = answer(&[Message::user("hello")]);
    assert_eq!(said, say("The built-in analyst cannot begin: the opening message has no <tables> part."));
    assert_eq!(answer(&[]), say("The built-in analyst cannot begin: nothing was asked."));
}

#[test]
fn ids_tell_the_place() {
    for place in [Place::Step(of("unusual"), 0), Place::Step(of("plain"), 11), Place::Repair(of("overview"))]
    {
        assert_eq!(Place::from_id(&place.id()), Some(place));
    }
    for id in ["analyst-unusual-0", "analyst-other-1", "call_1", "analyst-unusual-x"] {
        assert_eq!(Place::from_id(id), None, "{id}");
    }
}

#[test]
fn a_further_question_starts_its_own_plan_with_ids_of_its_own() {
    let mut messages = vec![Message::user(SERIES)];
    let mut ids = Vec::new();
    for question in [None, Some("What is in here?"), Some("Anything unusual?")] {
        messages.extend(question.map(|text| Message::user(format!("More.\n<request>\n{text}\n</request>"))));
        loop {
            let next = answer(&messages);
            let call = next.call.map(|call| ToolCall {
                id: call.id,
                name: "run_python".into(),
                arguments: json!({}),
                broken: None,
                extra: serde_json::Map::new(),
            });
            let calls = call.iter().cloned().collect();
            messages.push(Message::Assistant(AssistantMessage { calls, ..AssistantMessage::default() }));
            let Some(call) = call else { break };
            messages.push(Message::Tool(ToolResult { text: all_well(&call.id), call_id: call.id.clone() }));
            ids.push(call.id);
        }
    }
    let of = |ending: &str| ids.iter().filter(|id| id.ends_with(ending)).count();
    assert!(ids[0] == "analyst-unusual-1" && of("@1") > 0 && of("@2") > 0, "{ids:?}");
    assert!(
        ids.contains(&"analyst-overview-1@1".to_owned()) && ids.contains(&"analyst-unusual-1@2".to_owned())
    );
    let distinct: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len());
}
