//! Formulas: TeX as calls of the typesetter's functions for mathematics.

use std::fmt::Write;
use std::iter::Peekable;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::vec::IntoIter;

use pulldown_latex::event::{
    ArrayColumn, ColumnAlignment, Content, DimensionUnit, EnvironmentFlow, Event, Font, Grouping,
    ScriptPosition, ScriptType, StateChange, Visual,
};
use pulldown_latex::{Parser, Storage};

use super::text::literal;

/// Beyond this a formula is shown as it is written.
const MOST_LETTERS: usize = 4000;
const MOST_EVENTS: usize = 4000;
const DEEPEST: usize = 24;

/// A formula as an argument of the typesetter; `None` where it is not understood as a whole.
pub(super) fn set(tex: &str) -> Option<String> {
    // What defines commands can grow without end.
    let defines = ["\\def", "\\let", "\\newcommand", "\\renewcommand", "\\gdef", "\\edef"];
    if tex.len() > MOST_LETTERS || defines.iter().any(|command| tex.contains(command)) {
        return None;
    }
    // A fault of the reader costs the formula, not the report.
    catch_unwind(AssertUnwindSafe(|| read(tex))).ok().flatten()
}

fn read(tex: &str) -> Option<String> {
    let storage = Storage::new();
    let mut events = Vec::new();
    for event in Parser::new(tex, &storage) {
        events.push(event.ok()?);
        if events.len() > MOST_EVENTS {
            return None;
        }
    }
    let mut setter = Setter { events: events.into_iter().peekable(), depth: 0 };
    let set = setter.sequence(Ends::Formula)?;
    Some(set)
}

/// Where a sequence ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Formula,
    Group,
    /// At the next cell, row or end, which stays.
    Cell,
}

struct Setter<'a> {
    events: Peekable<IntoIter<Event<'a>>>,
    depth: usize,
}

impl Setter<'_> {
    fn sequence(&mut self, ends: Ends) -> Option<String> {
        let mut out = String::from("seq(");
        let mut closing = String::new();
        loop {
            match self.events.peek() {
                None if ends == Ends::Formula => break,
                Some(Event::End | Event::EnvironmentFlow(_)) if ends == Ends::Cell => break,
                Some(Event::End) if ends == Ends::Group => {
                    self.events.next();
                    break;
                }
                None | Some(Event::End | Event::EnvironmentFlow(_)) => return None,
                Some(Event::StateChange(change)) => {
                    if let StateChange::Font(font) = change {
                        // The font holds to the end of the sequence.
                        let (call, close) = font_call(*font);
                        let _ = write!(out, "{call}(seq(");
                        closing.insert_str(0, close);
                    }
                    self.events.next();
                }
                Some(_) => {
                    out.push_str(&self.element()?);
                    out.push(',');
                }
            }
        }
        out.push_str(&closing);
        out.push(')');
        Some(out)
    }

    fn element(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let set = match self.events.next()? {
            Event::Content(content) => Some(content_call(&content)),
            Event::Begin(grouping) => self.group(&grouping),
            Event::Visual(visual) => self.visual(visual),
            Event::Script { ty, position } => self.script(ty, position),
            Event::Space { width, .. } => {
                let em = width.map_or(0.0, |width| match width.unit {
                    DimensionUnit::Mu => width.value / 18.0,
                    DimensionUnit::Em => width.value,
                    DimensionUnit::Ex => width.value / 2.0,
                    _ => width.value / 11.0,
                });
                Some(format!("h({:.3}em)", em.clamp(-2.0, 8.0)))
            }
            // A change of state before a single element, as in a script.
            Event::StateChange(StateChange::Font(font)) => {
                let inner = self.element()?;
                let (call, close) = font_call(font);
                Some(format!("{call}(seq({inner}{}", close.trim_end_matches(',')))
            }
            Event::StateChange(_) => self.element(),
            Event::End | Event::EnvironmentFlow(_) => None,
        };
        self.depth -= 1;
        set
    }

    fn visual(&mut self, visual: Visual) -> Option<String> {
        let first = self.element()?;
        match visual {
            Visual::SquareRoot => Some(format!("math.sqrt({first})")),
            Visual::Root => Some(format!("math.root({}, {first})", self.element()?)),
            Visual::Fraction(None) => Some(format!("math.frac({first}, {})", self.element()?)),
            Visual::Fraction(Some(_)) => Some(format!("math.vec(delim: none, {first}, {})", self.element()?)),
            Visual::Negation if first == "s(\"=\")" => Some("s(\"≠\")".to_owned()),
            Visual::Negation if first == "s(\"∈\")" => Some("s(\"∉\")".to_owned()),
            Visual::Negation => Some(format!("math.cancel({first})")),
        }
    }

    fn script(&mut self, ty: ScriptType, position: ScriptPosition) -> Option<String> {
        let base = self.element()?;
        let (below, above) = match ty {
            ScriptType::Subscript => (Some(self.element()?), None),
            ScriptType::Superscript => (None, Some(self.element()?)),
            ScriptType::SubSuperscript => (Some(self.element()?), Some(self.element()?)),
        };
        if position == ScriptPosition::AboveBelow
            && let Some(accented) = accented(&base, below.as_deref(), above.as_deref())
        {
            return Some(accented);
        }
        let held = match position {
            ScriptPosition::Right => format!("math.scripts({base})"),
            ScriptPosition::AboveBelow => format!("math.limits({base})"),
            ScriptPosition::Movable => format!("math.limits({base}, inline: false)"),
        };
        let below = below.map_or(String::new(), |below| format!(", b: {below}"));
        let above = above.map_or(String::new(), |above| format!(", t: {above}"));
        Some(format!("math.attach({held}{below}{above})"))
    }

    fn group(&mut self, grouping: &Grouping) -> Option<String> {
        match grouping {
            Grouping::Normal => self.sequence(Ends::Group),
            Grouping::LeftRight(left, right) => {
                let inner = self.sequence(Ends::Group)?;
                let sign = |sign: &Option<char>| {
                    sign.map_or_else(String::new, |sign| format!("{},", sign_call(sign)))
                };
                Some(format!("math.lr(seq({}{inner},{}))", sign(left), sign(right)))
            }
            Grouping::Cases { left } => {
                let rows: Vec<String> =
                    self.rows()?.into_iter().map(|row| format!("seq({})", row.join(",h(1em),"))).collect();
                Some(format!("math.cases(reverse: {}, {})", !left, rows.join(",")))
            }
            Grouping::Matrix { alignment } | Grouping::SubArray { alignment } => {
                self.matrix(&format!("align: {}, ", align(*alignment)))
            }
            Grouping::Array(columns) => {
                let first = columns.iter().find_map(|column| match column {
                    ArrayColumn::Column(alignment) => Some(*alignment),
                    ArrayColumn::Separator(_) => None,
                });
                self.matrix(&format!("align: {}, ", align(first.unwrap_or(ColumnAlignment::Center))))
            }
            _ => {
                let rows: Vec<String> = self
                    .rows()?
                    .into_iter()
                    .map(|row| format!("seq({})", row.join(",align-mark,")))
                    .collect();
                Some(format!("seq({})", rows.join(",linebreak(),")))
            }
        }
    }

    fn matrix(&mut self, settings: &str) -> Option<String> {
        let rows: Vec<String> = self.rows()?.into_iter().map(|row| format!("({},)", row.join(","))).collect();
        Some(format!("math.mat(delim: none, {settings}{})", rows.join(",")))
    }

    /// The cells of each row, up to the end of the group, which is taken away.
    fn rows(&mut self) -> Option<Vec<Vec<String>>> {
        let mut rows = vec![Vec::new()];
        loop {
            if let Some(Event::EnvironmentFlow(EnvironmentFlow::StartLines { .. })) = self.events.peek() {
                self.events.next();
            }
            let cell = self.sequence(Ends::Cell)?;
            rows.last_mut()?.push(cell);
            match self.events.next()? {
                Event::End => break,
                Event::EnvironmentFlow(EnvironmentFlow::NewLine { .. }) => rows.push(Vec::new()),
                _ => {}
            }
        }
        // A line break behind the last row opens no row.
        if rows.len() > 1 && rows.last().is_some_and(|row| row.len() == 1 && row[0] == "seq()") {
            rows.pop();
        }
        Some(rows)
    }
}

/// What stands over or under something as its accent or brace.
fn accented(base: &str, below: Option<&str>, above: Option<&str>) -> Option<String> {
    let sign = |call: Option<&str>| {
        let mut letters = call?.strip_prefix("s(\"")?.strip_suffix("\")")?.chars();
        letters.next().filter(|_| letters.next().is_none())
    };
    match (sign(below), sign(above)) {
        (None, Some('‾' | '¯' | '―')) => Some(format!("math.overline({base})")),
        (None, Some('⏞')) => Some(format!("math.overbrace({base})")),
        (None, Some(accent @ ('^' | '~' | '˙' | '¨' | '→' | '←' | '↔' | 'ˇ' | '˘' | '´' | '`' | '˚'))) =>
        {
            let accent = match accent {
                '˙' => '.',
                '˚' => '∘',
                accent => accent,
            };
            Some(format!("math.accent({base}, \"{accent}\")"))
        }
        (Some('‾' | '_' | '¯' | '―'), None) => Some(format!("math.underline({base})")),
        (Some('⏟'), None) => Some(format!("math.underbrace({base})")),
        _ => None,
    }
}

fn content_call(content: &Content<'_>) -> String {
    match content {
        Content::Text(text) | Content::Number(text) => literal(text),
        Content::Function(name) => format!("math.op({})", literal(name)),
        Content::Ordinary { content, .. }
        | Content::LargeOp { content, .. }
        | Content::BinaryOp { content, .. }
        | Content::Delimiter { content, .. }
        | Content::Punctuation(content) => sign_call(*content),
        Content::Relation { content, .. } => {
            let mut letters = [0; 8];
            let relation = content.encode_utf8_to_buf(&mut letters);
            let signs: Vec<String> =
                std::str::from_utf8(relation).unwrap_or_default().chars().map(sign_call).collect();
            if signs.len() == 1 { signs.concat() } else { format!("seq({})", signs.join(",")) }
        }
    }
}

fn sign_call(sign: char) -> String {
    // A sign must be one letter of its own, which what is left out or joins another is not.
    match literal(&sign.to_string()) {
        sign if sign.len() > 2 && !sign.starts_with("\"\u{300}") => format!("s({sign})"),
        _ => "\"\"".to_owned(),
    }
}

/// The call that sets a font, and what closes it and the sequence within.
fn font_call(font: Option<Font>) -> (&'static str, &'static str) {
    match font {
        None => ("math.serif", ")),"),
        Some(Font::Bold) => ("math.bold(math.upright", "))),"),
        Some(Font::BoldItalic | Font::BoldSymbol) => ("math.bold", ")),"),
        Some(Font::Fraktur | Font::BoldFraktur) => ("math.frak", ")),"),
        Some(Font::Script | Font::BoldScript) => ("math.cal", ")),"),
        Some(Font::Monospace) => ("math.mono", ")),"),
        Some(Font::DoubleStruck | Font::DoubleStruckItalic) => ("math.bb", ")),"),
        Some(Font::SansSerif | Font::SansSerifItalic | Font::SansSerifBoldItalic | Font::BoldSansSerif) => {
            ("math.sans", ")),")
        }
        Some(Font::Italic) => ("math.italic", ")),"),
        Some(Font::UpRight) => ("math.upright", ")),"),
    }
}

fn align(alignment: ColumnAlignment) -> &'static str {
    match alignment {
        ColumnAlignment::Left => "left",
        ColumnAlignment::Center => "center",
        ColumnAlignment::Right => "right",
    }
}
