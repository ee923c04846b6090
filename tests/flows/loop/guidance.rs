//! What the loop does for a model that loses its way, and how a long conversation fits.

use assay_engine::{Event, Give, Guidance, Person, Question, RunEvent, RunStatus, StopToken};
use assay_testkit::Reply;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::scripted::{Desk, python};

/// A run that ends with an answer in words.
async fn desk(script: Vec<Reply>) -> Option<Desk> {
    let mut desk = Desk::with(script).await?;
    desk.request.give = Give::ANSWER;
    Some(desk)
}

fn agent_events(desk: &Desk) -> Vec<&Event> {
    let events = desk.events.iter().filter_map(|event| match event {
        RunEvent::Agent(event) => Some(event),
        RunEvent::Engine(_) => None,
    });
    events.collect()
}

#[tokio::test]
async fn a_small_model_finds_its_tables_loaded_even_after_its_process_was_lost() {
    let block = |code: &str| Reply::text(format!("I run this:\n```python\n{code}\n```"));
    let script = vec![
        block("print(df.groupby('region')['amount'].sum()['North'])"),
        block("import os\nos._exit(1)"),
        block("print(len(df), pd.__name__, np.__name__)"),
        Reply::text("North: 40."),
    ];
    let Some(mut desk) = desk(script).await else { return };
    desk.request.guidance = Some(Guidance::Short);
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!((result.status, result.answer.as_str()), (RunStatus::Done, "North: 40."), "{result:?}");

    let first = &desk.server.requests()[0].body;
    assert_eq!((&first["tools"], &first["temperature"]), (&Value::Null, &json!(0.0)), "code comes as text");
    let opening = desk.messages(1)[1]["content"].as_str().unwrap().to_owned();
    assert!(opening.contains(r#""frame":"df""#), "{opening}");
    assert!(!opening.contains("read_with"), "{opening}");
    let result =
        |request: usize| desk.messages(request).last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(
        result(2).starts_with(
            "Result:\nstatus: ok\n--- output\n40\n\nThe request was:\n<request>\nWhich region sells most?"
        ),
        "{}",
        result(2)
    );
    assert!(result(3).contains("The tables were loaded again."), "{}", result(3));
    assert!(result(4).contains("--- output\n3 pandas numpy\n"), "{}", result(4));
    let loading = agent_events(&desk).into_iter().find_map(|event| match event {
        Event::StepStarted { title, turn: 0, arguments, .. } => Some((title.as_str(), arguments)),
        _ => None,
    });
    let (title, arguments) = loading.expect("the loading is a step that can be seen");
    assert_eq!(title, "Loading the tables");
    assert!(arguments["code"].as_str().unwrap().contains("df = pd.read_csv('input/sales 2025.csv'"));
}

#[tokio::test]
async fn a_small_model_that_fails_twice_in_the_same_way_does_not_read_its_attempts_again() {
    let block = |code: &str| Reply::text(format!("```python\n{code}\n```"));
    let script = vec![
        block("total = int('4 0')"),
        block("# again\ntotal = int('4 0')"),
        block("print(df.groupby('region')['amount'].sum()['North'])"),
        Reply::text("North: 40."),
    ];
    let Some(mut desk) = desk(script).await else { return };
    desk.request.guidance = Some(Guidance::Short);
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!((result.status, result.answer.as_str()), (RunStatus::Done, "North: 40."), "{result:?}");
    assert_eq!(desk.messages(2).len(), 4, "one failure is shown as it was");
    let anew = desk.messages(3);
    assert_eq!(anew.len(), 2, "{anew:?}");
    let told = anew[1]["content"].as_str().unwrap();
    assert!(
        told.contains("Which region sells most?") && told.contains("without the line `total = int('4 0')`"),
        "{told}"
    );
    assert!(!told.contains("# again"), "{told}");
    assert_eq!(desk.messages(4).len(), 8, "what worked is shown with all that was before it");
}

#[tokio::test]
async fn an_answer_without_the_form_that_was_asked_for_and_printed_is_asked_for_again() {
    let script = vec![
        Reply::text("```python\nprint('@region[North]')\n```"),
        Reply::text("It is the North."),
        Reply::text("@region[North]"),
    ];
    let Some(mut desk) = desk(script).await else { return };
    desk.request.guidance = Some(Guidance::Short);
    desk.request.ask = "Which region sells most? Write it as @region[name].".into();
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!((result.status, result.answer.as_str()), (RunStatus::Done, "@region[North]"), "{result:?}");
    let told = desk.messages(3).last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(told.ends_with("word for word, with this in it: `@region[North]`"), "{told}");
}

#[tokio::test]
async fn code_that_is_nearly_right_runs_and_the_step_says_what_was_mended() {
    let script = vec![
        python("Reading", "```python\ndf = pd.read_csv('input/sales 2025.csv')\nprint(len(df))\n```"),
        Reply::text("3 rows."),
    ];
    let Some(mut desk) = desk(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Done);
    assert_eq!(
        desk.observation(2),
        "status: ok\nmended: The marks around the code were left out.\nmended: Added: import pandas as pd.\n--- output\n3"
    );
    let step = agent_events(&desk).into_iter().find_map(|event| match event {
        Event::StepStarted { mended, arguments, .. } => Some((mended.len(), arguments["code"].clone())),
        _ => None,
    });
    let code = "import pandas as pd\ndf = pd.read_csv('input/sales 2025.csv')\nprint(len(df))\n";
    assert_eq!(step, Some((2, json!(code))), "the step shows the code that ran");
}

#[tokio::test]
async fn field_069_installing_is_refused_once_clearly_and_ends_the_run_when_it_goes_on() {
    let install = |code: &str| python("Installing", code);
    let script = vec![
        install("!pip install seaborn"),
        Reply::call("run_shell", json!({"title": "x", "command": "pip install --user seaborn"})),
        install("import subprocess\nsubprocess.run(['pip', 'install', 'seaborn'])"),
        python("More", "print(1)"),
    ];
    let Some(mut desk) = desk(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Stuck);
    assert!(desk.observation(2).contains("nothing can be installed"), "{}", desk.observation(2));
    assert!(desk.observation(2).contains("matplotlib"), "{}", desk.observation(2));
    assert!(desk.observation(3).contains("One more attempt"), "{}", desk.observation(3));
    assert_eq!(desk.server.requests().len(), 4);
}

#[tokio::test]
async fn an_answer_that_no_code_has_computed_is_asked_for_again() {
    let script =
        vec![Reply::text("About 40."), python("Adding", "print(10 + 30)"), Reply::text("The sum is 40.")];
    let Some(mut desk) = desk(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!((result.status, result.answer.as_str()), (RunStatus::Done, "The sum is 40."));
    let told = desk.messages(2).last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(told.contains("no code was run"), "{told}");
}

/// Answers what it was made with, and remembers what it was asked.
struct Somebody(Option<&'static str>, std::sync::Mutex<Vec<Question>>);

#[async_trait::async_trait]
impl Person for Somebody {
    async fn answer(&self, question: &Question, _stop: &StopToken) -> Option<String> {
        self.1.lock().unwrap().push(question.clone());
        self.0.map(str::to_owned)
    }
}

#[tokio::test]
async fn one_question_may_be_asked_and_nobody_means_the_likeliest_answer() {
    let ask = || Reply::call("ask_user", json!({"question": "Which year?", "choices": ["2024", "2025"]}));
    for (answer, told) in [
        (Some("both of them"), "status: ok\nThe person answers: both of them"),
        (
            None,
            "status: ok\nThe person leaves it to you. Take \"2024\", and say in the report what you assumed.",
        ),
    ] {
        let script = vec![ask(), ask(), python("x", "print(1)"), Reply::text("It is 1.")];
        let Some(mut desk) = desk(script).await else { return };
        let person = Somebody(answer, std::sync::Mutex::default());
        let result = desk.run_asking(&person).await;
        assert_eq!(result.status, RunStatus::Done);
        assert_eq!(desk.observation(2), told);
        assert!(desk.observation(3).contains("asked once already"), "{}", desk.observation(3));
        let question = Question {
            text: "Which year?".into(),
            choices: vec!["2024".into(), "2025".into()],
            default: "2024".into(),
        };
        assert_eq!(*person.1.lock().unwrap(), [question]);
        let kept = agent_events(&desk).into_iter().find_map(|event| match event {
            Event::QuestionAnswered { answer, .. } => Some(answer.clone()),
            _ => None,
        });
        assert_eq!(kept, Some(answer.map(str::to_owned)));
    }
}

/// Takes longer to answer than the run may last.
struct Slow;

#[async_trait::async_trait]
impl Person for Slow {
    async fn answer(&self, _question: &Question, _stop: &StopToken) -> Option<String> {
        tokio::time::sleep(std::time::Duration::from_secs(12)).await;
        None
    }
}

#[tokio::test]
async fn the_time_in_which_a_question_waits_is_not_the_runs_own() {
    let ask = Reply::call("ask_user", json!({"question": "Which year?", "choices": ["2024", "2025"]}));
    let Some(mut desk) = desk(vec![ask, python("x", "print(1)"), Reply::text("It is 1.")]).await else {
        return;
    };
    desk.request.policy.run_limit_s = 10;
    let result = desk.run_asking(&Slow).await;
    assert_eq!(result.status, RunStatus::Done, "{:?}", result.remarks);
}

#[tokio::test]
async fn field_097_a_wait_of_hours_pauses_the_run_and_keeps_it() {
    let script = vec![python("One", "print(1)"), Reply::status(429, &[("retry-after", "7200")], "{}")];
    let Some(mut desk) = desk(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Paused);
    assert!(result.remarks[0].contains("wait for 2 hours"), "{:?}", result.remarks);
    assert_eq!((result.problem, result.spent.steps), (None, 1));
}

#[tokio::test]
async fn field_083_a_prompt_that_the_server_cut_is_told_and_ends_the_run() {
    let Some(mut desk) = desk(vec![Reply::text("Yes.").using(300, 5)]).await else { return };
    let columns: Vec<String> = (0..250).map(|number| format!("measured value {number}")).collect();
    let row = vec!["1"; columns.len()].join(",");
    std::fs::write(&desk.request.files[0], format!("{}\n{row}\n{row}\n", columns.join(","))).unwrap();
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!(result.status, RunStatus::Failed);
    let problem = result.problem.unwrap();
    assert!(problem.message.starts_with("The model's server read only 300 of about"), "{problem:?}");
}

#[tokio::test]
async fn a_conversation_that_is_too_long_is_shortened_from_its_oldest_results_and_goes_on() {
    let print = |number: u32| python("Printing", &format!("print('{number} ' * 900)"));
    let too_long = json!({"error": {"message": "too long", "code": "context_length_exceeded"}});
    let script = vec![
        print(1),
        print(2),
        print(3),
        Reply::status(400, &[], too_long),
        python("Reading", "print(open('work/results/01.txt').read().count('1 '))"),
        Reply::text("899 times."),
    ];
    let Some(mut desk) = desk(script).await else { return };
    let result = desk.run(&CancellationToken::new()).await.unwrap();
    assert_eq!((result.status, result.answer.as_str()), (RunStatus::Done, "899 times."), "{result:?}");
    let results = |request: usize| -> Vec<usize> {
        let messages = desk.messages(request);
        let results = messages.iter().filter(|message| message["role"] == "tool");
        results.map(|message| message["content"].as_str().unwrap().len()).collect()
    };
    assert_eq!(results(4)[0], results(4)[1]);
    assert!(results(5)[0] < 700 && results(5)[1..] == results(4)[1..], "{:?}", results(5));
    assert!(desk.messages(5).iter().any(|message| {
        message["content"].as_str().is_some_and(|text| text.contains("all of it is in work/results/01.txt"))
    }));
    assert!(desk.observation(6).ends_with("--- output\n899"), "{}", desk.observation(6));
    assert!(agent_events(&desk).contains(&&Event::Shortened { results: 1 }));
}
