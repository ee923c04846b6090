//! The app's window as a person sees it: words, buttons by their names, fields by their labels.

use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::stage::{LONG, SOON};

const OFTEN: Duration = Duration::from_millis(100);

/// What names an element in an answer; section 12.1 of the WebDriver standard.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// All words that can be seen, with single blanks.
const WORDS: &str = "return document.body.innerText.replace(/\\s+/g, ' ')";

/// Something that can be pressed, has exactly this name, and does not move at this moment.
const PRESSABLE: &str = "
    const name = arguments[0];
    const named = (each) => {
        const text = (each.getAttribute('aria-label') ?? each.innerText).replace(/\\s+/g, ' ').trim();
        // An item of a menu says on its second line what it is for.
        if (each.role === 'menuitem') return each.innerText.split('\\n')[0].trim();
        // A tab says behind its name how many things it holds, a step's line how it went.
        if (each.role === 'tab') return text.replace(/ ?\\d+$/, '');
        return each.hasAttribute('aria-expanded') ? text.replace(/ , .*$/, '') : text;
    };
    const roles = ['button', 'menuitem', 'tab', 'radio', 'checkbox', 'switch'];
    const all = document.querySelectorAll(
        'button, summary, label, ' + roles.map((role) => `[role=${role}]`).join(', '));
    const free = (each) => each.ariaDisabled !== 'true' && each.getClientRects().length > 0;
    const found = [...all].filter((each) => named(each) === name && free(each));
    const one = found.find((each) => each.closest('[role=dialog]')) ?? found[0];
    const done = arguments[arguments.length - 1];
    // Not every place that scrolls is scrolled by the driver.
    one?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const place = () => JSON.stringify(one.getBoundingClientRect());
    const before = one && place();
    requestAnimationFrame(() => requestAnimationFrame(() =>
        done(one && one.isConnected && place() === before ? one : null)))";

/// Goes to a field as a press on it does, and marks all that stands there.
const WRITE_ANEW: &str = "
    const [field] = arguments;
    field.scrollIntoView({ block: 'nearest' });
    field.focus();
    field.select()";

/// The app's window.
pub(crate) struct Desk {
    client: Client,
}

impl Desk {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Runs a script in the page, out of reach of the page's own policy.
    pub(crate) async fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap()
    }

    /// Runs a script that answers by calling its last argument.
    pub(crate) async fn script_async(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute_async(script, arguments).await.unwrap()
    }

    /// All words that can be seen, with single blanks.
    pub(crate) async fn words(&self) -> String {
        self.script(WORDS, Vec::new()).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until these words can be seen.
    pub(crate) async fn see(&self, words: &str) {
        self.see_within(SOON, words).await;
    }

    /// Waits until these words can be seen, for as long as an analysis may take.
    pub(crate) async fn see_at_last(&self, words: &str) {
        self.see_within(LONG, words).await;
    }

    pub(crate) async fn see_within(&self, limit: Duration, words: &str) {
        let begun = Instant::now();
        loop {
            let seen = self.words().await;
            if seen.contains(words) {
                return;
            }
            assert!(
                begun.elapsed() < limit,
                "“{words}” is not seen within {limit:?}, but: {}",
                start_of(&seen)
            );
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// Waits until these words cannot be seen any more.
    pub(crate) async fn see_no_more(&self, words: &str) {
        let begun = Instant::now();
        while self.words().await.contains(words) {
            assert!(begun.elapsed() < SOON, "“{words}” is still seen");
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// Waits until a script answers with `true`.
    pub(crate) async fn wait_until(&self, what: &str, script: &str) {
        let begun = Instant::now();
        while self.script(script, Vec::new()).await != Value::Bool(true) {
            assert!(begun.elapsed() < SOON, "{what} did not come; seen: {}", start_of(&self.words().await));
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// Presses the button, tab, choice or fold with exactly this name, when it is there and free.
    pub(crate) async fn press(&self, name: &str) {
        let begun = Instant::now();
        loop {
            let trouble = match self.find_free(name).await {
                Some(element) => match element.click().await {
                    Ok(()) => return,
                    Err(error) => error.to_string(),
                },
                None => "it is not there, or not free".to_owned(),
            };
            let seen = self.words().await;
            assert!(
                begun.elapsed() < SOON,
                "“{name}” cannot be pressed: {trouble}; seen: {}",
                start_of(&seen)
            );
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// Whether something with exactly this name can be pressed now.
    pub(crate) async fn can_press(&self, name: &str) -> bool {
        self.find_free(name).await.is_some()
    }

    async fn find_free(&self, name: &str) -> Option<Element> {
        let found = self.script_async(PRESSABLE, vec![json!(name)]).await;
        let reference = found.get(ELEMENT)?.as_str()?.to_owned();
        let element = Element::from_element_id(self.client.clone(), reference.into());
        element.is_enabled().await.unwrap_or(false).then_some(element)
    }

    /// Writes into the field with this label, in place of what is there.
    pub(crate) async fn write(&self, label: &str, text: &str) {
        let path =
            format!("//*[@id = //label[normalize-space(.) = '{label}']/@for] | //*[@aria-label = '{label}']");
        let field = self.client.wait().at_most(SOON).for_element(Locator::XPath(&path)).await;
        let field = field.unwrap_or_else(|error| panic!("{label}: {error}"));
        // Clearing by WebDriver leaves the field, and some fields end with that.
        self.script(WRITE_ANEW, vec![serde_json::to_value(&field).unwrap()]).await;
        field.send_keys(text).await.unwrap();
    }

    /// Leaves the field that is written in, as a click elsewhere does.
    pub(crate) async fn leave_field(&self) {
        self.script("document.activeElement.blur()", Vec::new()).await;
    }

    /// Waits until this many pictures of the run are drawn in the page.
    pub(crate) async fn see_charts(&self, count: usize) {
        // Those below the window's edge are read only when they come near it, unless they are told to.
        let script = "
            const charts = [...document.images].filter((image) =>
                image.src.startsWith('artifact:') && image.getClientRects().length > 0);
            for (const chart of charts) chart.loading = 'eager';
            return [charts.length, charts.filter((chart) => chart.complete && chart.naturalWidth > 0).length]";
        let begun = Instant::now();
        loop {
            let drawn = self.script(script, Vec::new()).await;
            if drawn == json!([count, count]) {
                return;
            }
            assert!(begun.elapsed() < SOON, "{count} charts are not drawn: {drawn} are there and drawn");
            tokio::time::sleep(OFTEN).await;
        }
    }

    /// Connects a language model at this address in the settings. A key is kept for the session.
    pub(crate) async fn choose_model(&self, address: &str, key: &str) {
        self.press("Settings").await;
        self.press("A language model").await;
        self.press("Another server").await;
        self.write("Address", address).await;
        if !key.is_empty() {
            self.write("Key", key).await;
            self.press("For this session only").await;
        }
        self.write("Model", "scripted").await;
        self.leave_field().await;
        self.press("Use this model").await;
        self.see("Change the model").await;
    }

    /// Wants neither charts nor tables, so that a report alone is enough.
    pub(crate) async fn want_only_a_report(&self) {
        self.press("charts").await;
        self.press("tables").await;
    }

    /// Asks a question of what lies on the desk.
    pub(crate) async fn ask(&self, question: &str) {
        self.write("What do you want to know?", question).await;
        self.press("Analyse").await;
    }
}

/// Enough of a page's words to know which page it is.
fn start_of(words: &str) -> String {
    words.chars().take(1500).collect()
}
