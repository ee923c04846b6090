//! Models that cannot be used, and runs that reach a limit.

use assay_engine::{
    DockerSettings, Engine, Give, ModelChoice, Policy, RemoteConfig, RunRequest, StopToken, Wire,
};
use assay_testkit::{Reply, ScriptedServer};
use assay_tests::docker;
use serde_json::json;

use crate::driver::free_port;
use crate::look::look;
use crate::script::{python, report, say};
use crate::stage::Stage;

#[tokio::test]
async fn a_wrong_key_and_a_model_that_is_not_there_are_told_with_what_to_do() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let refusal = || Reply::status(401, &[], json!({"error": {"message": "Incorrect API key provided"}}));
    let server = ScriptedServer::start(vec![refusal()]);
    server.list_models(refusal());
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\n");
    let desk = stage.open_app(&[table.to_str().unwrap()]).await;
    desk.see("deliveries.csv").await;
    desk.choose_model(&server.url(), "sk-not-right").await;
    desk.press("Test the connection").await;
    desk.see("The model's provider does not accept the key.").await;
    look(&stage, &desk, "settings-model").await;
    desk.press("Assay").await;
    desk.ask("How many?").await;
    desk.see("The model's provider does not accept the key.").await;
    desk.press("Choose what thinks").await;
    desk.see("Where it runs, and what thinks").await;
    look(&stage, &desk, "desk-choice").await;

    desk.press("Change the model").await;
    desk.write("Address", &format!("http://127.0.0.1:{}/v1", free_port())).await;
    desk.leave_field().await;
    desk.see("Nobody answers at 127.0.0.1").await;
    desk.press("Built-in analyst (no AI)").await;
    desk.press("Done").await;
    desk.see("Thinks: built-in analyst (no AI)").await;
    assert_eq!(server.requests().len(), 1, "only the test was sent to a model that cannot be used");
    assert!(!stage.home().join("runs").exists(), "nothing was begun");
    stage.close_window();
    stage.wait_for_end();
}

#[tokio::test]
async fn field_067_092_a_step_without_memory_or_time_and_a_run_without_end_are_told_plainly() {
    if docker().await.is_none() {
        return;
    }
    let Some(mut stage) = Stage::set() else { return };
    let mut script = vec![
        python("Filling the memory", "kept = b'x' * (3 << 30)"),
        report("Half an answer", "The rest did not fit."),
        say("The rest did not fit."),
        python("Waiting too long", "import time\ntime.sleep(60)"),
        report("Half an answer", "The rest took too long."),
        say("The rest took too long."),
        python("Waiting for ever", "import time\ntime.sleep(60)"),
    ];
    script.extend(std::iter::repeat_with(|| python("Once more", "print('the same')")).take(8));
    let server = ScriptedServer::start(script);
    let table = stage.file("deliveries.csv", "region,days\nNorth,3\nSouth,5\n");
    // The window has no setting for these limits; the run is made beforehand with short ones.
    let request = |ask: &str, policy: Policy| RunRequest {
        files: vec![table.clone()],
        ask: ask.into(),
        model: ModelChoice::Remote(Box::new(RemoteConfig::new(
            Wire::ChatCompletions,
            server.url(),
            ScriptedServer::MODEL,
        ))),
        give: Give { report: true, charts: false, tables: false },
        policy,
        ..RunRequest::default()
    };
    let engine = Engine::new(Some(stage.home()), DockerSettings::default()).unwrap();
    for (ask, policy) in [
        ("Too much at once?", Policy::default()),
        ("Too long a step?", Policy { step_limit_s: 2, ..Policy::default() }),
        ("Too long in all?", Policy { run_limit_s: 2, ..Policy::default() }),
        ("Round and round?", Policy::default()),
    ] {
        engine.run(&request(ask, policy), |_| {}, &StopToken::new()).await.unwrap();
    }
    let desk = stage.open_app(&["--open", "latest"]).await;
    desk.see("It got stuck and was ended.").await;
    desk.press("Ask in other words").await;
    desk.wait_until("the question box", "return document.activeElement.tagName === 'TEXTAREA'").await;
    look(&stage, &desk, "result-stuck").await;
    desk.press("History").await;
    desk.see("Ended early, it went round in circles").await;
    desk.see("Ended early, a limit was reached").await;
    desk.press("Too long in all?").await;
    desk.see("Ended early, because a limit was reached. What was made until then is kept.").await;
    desk.see("The run reached its limit of").await;
    desk.press("History").await;
    desk.press("Too long a step?").await;
    desk.press("How this was worked out").await;
    desk.press("Waiting too long").await;
    desk.see("This step took longer than a step may, and was ended.").await;
    desk.press("History").await;
    desk.press("Too much at once?").await;
    desk.see("Half an answer").await;
    desk.press("How this was worked out").await;
    desk.press("Filling the memory").await;
    desk.see("The sandbox ran out of memory (2 GB). Python had to be started again here.").await;
    look(&stage, &desk, "result-how-failed").await;
    stage.close_window();
    stage.wait_for_end();
}
