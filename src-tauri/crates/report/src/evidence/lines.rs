//! What the steps printed, and what else is said line by line: the request and the facts of the inputs.

use super::chance::{Days, Density, Finds, Found, Frequencies, weigh};
use super::code::texts_of;
use super::stems::{Stem, day_stem, stems, value_stem};
use super::wanted::Wanted;
use super::{InputFacts, Sources, Verdict};
use crate::figures::{Kind, Token, scan};

/// More of a line than this is not shown.
const MOST_SHOWN: usize = 160;
/// The head of a printed table is looked for so many lines above.
const HEAD_REACH: usize = 80;

/// A line, and what of it is wanted.
struct Line {
    stems: Vec<Stem>,
    found: Vec<Raw>,
    verdict: Box<dyn Fn() -> Verdict>,
}

/// A find before it is weighed.
struct Raw {
    figure: usize,
    part: usize,
    value: Option<(f64, f64)>,
    doubt: f64,
}

/// Looks for the figures in everything that is said in lines.
pub(super) fn look(wanted: &Wanted<'_>, sources: &Sources<'_>) -> Finds {
    let mut finds = Finds::default();
    let mut printed = Pool::default();
    for step in &sources.steps {
        // What the code says by itself is not computed by being printed.
        let said = texts_of(step.code);
        let output: String = step
            .output
            .split_inclusive('\n')
            .map(|line| if said.contains(line.trim()) { "\n" } else { line })
            .collect();
        printed.add_text(wanted, &output, |line, words| {
            let (step, words) = (step.number, shortened(words));
            Box::new(move || Verdict::Printed { step, line, words: words.clone() })
        });
    }
    printed.settle(wanted, &mut finds);
    let mut facts = Pool::default();
    for input in &sources.inputs {
        facts.add_facts(wanted, input);
    }
    facts.settle(wanted, &mut finds);
    let mut asked = Pool::default();
    asked.add_text(wanted, sources.request, |_, _| Box::new(|| Verdict::Asked));
    asked.settle(wanted, &mut finds);
    finds
}

/// Lines of one kind.
#[derive(Default)]
pub(super) struct Pool {
    lines: Vec<Line>,
    density: Option<Density>,
    days: Days,
}

type Says = Box<dyn Fn() -> Verdict>;

impl Pool {
    /// Adds the lines of a text; `says` makes the verdict from a line's number and words.
    pub(super) fn add_text(&mut self, wanted: &Wanted<'_>, text: &str, says: impl Fn(u32, &str) -> Says) {
        let mut heads = Heads::default();
        for (index, words) in text.lines().enumerate() {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let tokens = scan(words);
            let own = stems(words);
            let has_values = tokens.iter().any(|token| !matches!(token.kind, Kind::Words(_)));
            let here = heads.over(index, own, has_values);
            self.add_line(wanted, words, &tokens, here, || says(number, words));
        }
    }

    fn add_facts(&mut self, wanted: &Wanted<'_>, input: &InputFacts) {
        for (words, value) in input.said() {
            let fact = format!("{}: {words}: {value}", input.name);
            self.add_line(wanted, &value, &scan(&value), stems(&words), || {
                Box::new(move || Verdict::Input { fact: fact.clone() })
            });
        }
    }

    fn add_line(
        &mut self,
        wanted: &Wanted<'_>,
        words: &str,
        tokens: &[Token],
        mut here: Vec<Stem>,
        says: impl FnOnce() -> Says,
    ) {
        let density = self.density.get_or_insert_with(Density::new);
        let mut found = Vec::new();
        for (part, token) in tokens.iter().enumerate() {
            match &token.kind {
                Kind::Number(written) => {
                    let value = written.readings[0].value;
                    density.add(value);
                    if value.fract() == 0.0 {
                        here.push(value_stem(value));
                    }
                    for reading in &written.readings {
                        found.extend(wanted.numbers(reading.value).map(|hit| Raw {
                            figure: hit.figure,
                            part,
                            value: Some((reading.value, hit.width)),
                            doubt: hit.doubt,
                        }));
                    }
                }
                Kind::Date(moments) => {
                    for moment in moments {
                        self.days.add(moment);
                        if let (Some(month), Some(day)) = (moment.month, moment.day) {
                            here.push(day_stem(month, day));
                        }
                        found.extend(wanted.dates(moment).map(|figure| Raw {
                            figure,
                            part,
                            value: None,
                            doubt: 1.0,
                        }));
                    }
                }
                Kind::Words(_) => {}
            }
        }
        let lower = words.to_lowercase();
        for (quoted, figures) in wanted.all_words() {
            if holds_words(&lower, quoted) {
                let part = tokens.len();
                found.extend(figures.iter().map(|figure| Raw {
                    figure: *figure,
                    part,
                    value: None,
                    doubt: 1.0,
                }));
            }
        }
        let mut stems = wanted.of_interest(here);
        stems.sort_unstable();
        stems.dedup();
        // A line that is not wanted still counts for how frequent its words are.
        self.lines.push(Line {
            stems,
            verdict: if found.is_empty() { Box::new(|| Verdict::NotFound) } else { says() },
            found,
        });
    }

    /// Weighs what was found.
    pub(super) fn settle(self, wanted: &Wanted<'_>, finds: &mut Finds) {
        let Some(density) = self.density else { return };
        let frequencies = Frequencies::of(self.lines.iter().map(|line| line.stems.as_slice()));
        let days = self.days.expected();
        for line in self.lines.iter().filter(|line| !line.found.is_empty()) {
            let here: Vec<Found> = line
                .found
                .iter()
                .map(|raw| Found {
                    figure: raw.figure,
                    expected: raw.value.map_or(days, |(value, width)| density.expected(value, width)),
                    doubt: raw.doubt,
                    part: raw.part,
                })
                .collect();
            for (figure, chance) in weigh(wanted, &here, &line.stems, &frequencies) {
                finds.offer(figure, chance, || (line.verdict)());
            }
        }
    }
}

/// The heads of printed tables: a line of words above lines of values.
#[derive(Default)]
struct Heads {
    head: Vec<Stem>,
    at: usize,
}

impl Heads {
    /// The words of a line with those of the head that it stands under.
    fn over(&mut self, index: usize, own: Vec<Stem>, has_values: bool) -> Vec<Stem> {
        if !has_values {
            if !own.is_empty() {
                // Two lines of words above a table are both its head.
                if index > self.at + 1 || self.head.is_empty() {
                    self.head.clear();
                }
                self.head.extend(&own);
                self.at = index;
            }
            return own;
        }
        let mut all = own;
        if index - self.at <= HEAD_REACH {
            all.extend(&self.head);
        }
        all
    }
}

/// Whether a text holds some words that are not part of longer ones.
pub(super) fn holds_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

fn shortened(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(MOST_SHOWN) {
        Some((at, _)) => format!("{} …", &line[..at]),
        None => line.to_owned(),
    }
}
