//! Every view is pictured and checked for accessibility in both themes and two sizes.

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::stage::Stage;

const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/node_modules/axe-core/axe.min.js");
const SIZES: [(i32, i32); 2] = [(1280, 860), (900, 600)];

/// What axe finds, as one line for each element.
const ASK_AXE: &str = "
    const done = arguments[arguments.length - 1];
    axe.run(document, { resultTypes: ['violations'] }).then(
        ({ violations }) => done(violations.flatMap(({ id, help, nodes }) =>
            nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 200)}`))),
        (error) => done([String(error)]))";

/// Says with which theme the page is drawn.
const SET_THEME: &str = "document.documentElement.dataset.theme = arguments[0]";
const KEPT_THEME: &str = "return document.documentElement.dataset.theme ?? null";
const GIVE_BACK_THEME: &str = "
    if (arguments[0] === null) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = arguments[0]";

/// Pictures a view in both themes and two sizes, and asks axe about each.
pub(crate) async fn look(stage: &Stage, desk: &Desk, name: &str) {
    let kept = desk.script(KEPT_THEME, Vec::new()).await;
    let axe = std::fs::read_to_string(AXE).expect("the interface's packages are installed (make ui)");
    desk.script(&format!("if (window.axe === undefined) {{ {axe} }}"), Vec::new()).await;
    for (width, height) in SIZES {
        stage.resize(width, height);
        for theme in ["light", "dark"] {
            desk.script(SET_THEME, vec![json!(theme)]).await;
            settle(desk).await;
            stage.picture(&format!("{name}-{theme}-{width}"));
            let faults = desk.script_async(ASK_AXE, Vec::new()).await;
            assert_eq!(faults, json!([]), "{name}, {theme}, {width} x {height}");
            let wider = desk.script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
                Vec::new(),
            );
            assert_eq!(wider.await, json!(0), "{name} at {width} is as wide as its window");
        }
    }
    desk.script(GIVE_BACK_THEME, vec![kept]).await;
}

/// Waits until nothing moves: a colour that is half way to another one is neither's.
async fn settle(desk: &Desk) {
    let moving = "
        const done = arguments[arguments.length - 1];
        // What has ended inside of a closed fold is still listed.
        const ends = (each) => each.effect?.getComputedTiming().iterations !== Infinity;
        const isMoving = (each) => each.playState !== 'finished' && ends(each);
        const begun = performance.now();
        const named = ({ effect, playState, animationName, transitionProperty }) =>
            `${effect?.target?.outerHTML.slice(0, 200)} ${animationName ?? transitionProperty} ${playState}`;
        let calm = 0;
        const watch = () => {
            const moving = document.getAnimations().filter(isMoving);
            calm = moving.length > 0 ? 0 : calm + 1;
            if (calm === 4) done(true);
            else if (performance.now() - begun > 20_000) done(moving.map(named));
            else requestAnimationFrame(watch);
        };
        requestAnimationFrame(watch)";
    assert_eq!(desk.script_async(moving, Vec::new()).await, Value::Bool(true));
}
