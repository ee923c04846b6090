//! The words of a question: numbers, days and quoted names are one token each.

/// One word, number, day or sign of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// In lower case; what stands in quotes is as it was written.
    pub(crate) text: String,
    /// As it was written.
    pub(crate) raw: String,
    /// Whether it stood in quotes.
    pub(crate) quoted: bool,
}

impl Token {
    fn word(raw: &str) -> Self {
        Self { text: raw.to_lowercase(), raw: raw.to_owned(), quoted: false }
    }

    /// The number it is: `1,200`, `2.5`, `$30`, `20%`, `5k`.
    pub(crate) fn number(&self) -> Option<f64> {
        if self.quoted || !self.text.starts_with(|c: char| c.is_ascii_digit() || "-$€£.".contains(c)) {
            return None;
        }
        let bare =
            self.text.trim_start_matches(['$', '€', '£']).trim_end_matches(['%', '€']).replace(',', "");
        let (bare, times) = match bare.strip_suffix(['k', 'm']) {
            Some(rest) if bare.ends_with('k') => (rest.to_owned(), 1e3),
            Some(rest) => (rest.to_owned(), 1e6),
            None => (bare, 1.0),
        };
        bare.parse::<f64>().ok().map(|number| number * times).filter(|number| number.is_finite())
    }

    /// The whole number it is, as a digit or a word.
    pub(crate) fn whole(&self) -> Option<u32> {
        const WORDS: [&str; 11] =
            ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        let spelled = WORDS.iter().position(|word| *word == self.text).and_then(|at| u32::try_from(at).ok());
        spelled.or_else(|| self.text.parse().ok()).filter(|_| !self.quoted)
    }
}

const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('‘', '’'), ('\'', '\'')];

/// Words that hold a measure and an end of it; `oldest` is the highest age.
const SUPERLATIVES: [(&str, &str, &str); 14] = [
    ("oldest", "highest", "age"),
    ("youngest", "lowest", "age"),
    ("hottest", "highest", "temperature"),
    ("warmest", "highest", "temperature"),
    ("coldest", "lowest", "temperature"),
    ("heaviest", "highest", "weight"),
    ("lightest", "lowest", "weight"),
    ("cheapest", "lowest", "price"),
    ("dearest", "highest", "price"),
    ("wettest", "highest", "rain"),
    ("windiest", "highest", "wind"),
    ("fastest", "highest", "speed"),
    ("slowest", "lowest", "speed"),
    ("richest", "highest", "income"),
];

/// Says superlatives in two words, `30 years old` as an age, and `most expensive` as the highest price.
pub(crate) fn spell_out(found: Vec<Token>) -> Vec<Token> {
    let mut spelled: Vec<Token> = Vec::with_capacity(found.len());
    let mut tokens = found.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let next = tokens.peek().map_or("", |next| next.text.as_str()).to_owned();
        let known = SUPERLATIVES.iter().find(|(word, ..)| !token.quoted && *word == token.text);
        if let Some((_, end, measure)) = known {
            spelled.push(Token::word(end));
            // The number of `lightest 3 models` belongs to the end.
            if tokens.peek().is_some_and(|next| next.whole().is_some()) {
                spelled.extend(tokens.next());
            }
            spelled.push(Token::word(measure));
        } else if matches!(token.text.as_str(), "year" | "years") && next == "old" && !token.quoted {
            tokens.next();
            spelled.push(Token::word("age"));
        } else if token.text == "most" && next == "expensive" {
            tokens.next();
            spelled.extend(["highest", "price"].map(Token::word));
        } else {
            spelled.push(token);
        }
    }
    spelled
}

/// The tokens of a question, at most so many that a pasted book costs nothing.
pub(crate) fn tokens(question: &str) -> Vec<Token> {
    const MOST: usize = 400;
    let mut found = Vec::new();
    let mut rest = question;
    while let Some(first) = rest.chars().next().filter(|_| found.len() < MOST) {
        let after = &rest[first.len_utf8()..];
        let quote = QUOTES.iter().find(|(open, _)| *open == first);
        if let Some((inside, behind)) = quote.and_then(|(_, close)| quoted(after, *close)) {
            found.push(Token { text: inside.to_owned(), raw: inside.to_owned(), quoted: true });
            rest = behind;
        } else if first.is_whitespace() {
            rest = after;
        } else {
            let end = rest
                .char_indices()
                .find(|(at, c)| c.is_whitespace() || *at > 0 && matches!(c, '"' | '“' | '”'))
                .map_or(rest.len(), |(at, _)| at);
            piece(&rest[..end], &mut found);
            rest = &rest[end..];
        }
    }
    found
}

/// What stands before the closing quote, which must end a word.
fn quoted(text: &str, close: char) -> Option<(&str, &str)> {
    let ends = |at: usize| !text[at + close.len_utf8()..].starts_with(char::is_alphanumeric);
    let (at, _) = text.match_indices(close).find(|(at, _)| ends(*at))?;
    (at > 0).then(|| (&text[..at], &text[at + close.len_utf8()..]))
}

/// The tokens of what stands between two blanks.
fn piece(written: &str, found: &mut Vec<Token>) {
    let core = written.trim_end_matches([',', ';', '.', '?', '!', ':', ')', ']']);
    let ending = &written[core.len()..];
    let core = core.trim_start_matches(['(', '[', '¿', '¡']);
    let is_number = core.starts_with(|c: char| c.is_ascii_digit() || "$€£".contains(c))
        || core.strip_prefix(['-', '.']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if core.is_empty() {
    } else if is_number {
        found.push(Token::word(core));
    } else {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '%' | '°' | '$' | '€');
        for (sign, part) in core.split_inclusive(|c| !is_part(c)).map(|part| {
            let word = part.trim_end_matches(|c| !is_part(c));
            (&part[word.len()..], word)
        }) {
            // `airline's` is the airline.
            if !(part.is_empty() || part == "s" && !found.is_empty()) {
                found.push(Token::word(part));
            }
            if matches!(sign, "<" | ">" | "=" | "&" | ",") {
                found.push(Token::word(sign));
            }
        }
    }
    if let Some(sign) = ending.chars().find(|sign| ",;.?:!".contains(*sign)) {
        found.push(Token::word(if sign == ',' { "," } else { "." }));
    }
}

/// The word without its plural or possessive ending, so that `customers` and `customer` are alike.
pub(crate) fn stem(word: &str) -> String {
    let is_short = word.chars().count() < 4;
    if let Some(start) = word.strip_suffix("ies").filter(|_| !is_short) {
        return format!("{start}y");
    }
    for ending in ["ches", "shes", "xes", "sses"] {
        if word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(start) if !is_short && !start.ends_with(['s', 'u', 'i']) => start.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_days_and_names_stay_whole() {
        let found = |question| tokens(question).into_iter().map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(
            found("Is the \"Total Bill\" over $1,200.50 (since 2024-03-01)?"),
            ["is", "the", "Total Bill", "over", "$1,200.50", "since", "2024-03-01", "."]
        );
        assert_eq!(found("airline's delay, before/after"), ["airline", "delay", ",", "before", "after"]);
        assert_eq!(found("tip>=3"), ["tip", ">", "=", "3"]);
        assert_eq!(found("don't"), ["don", "t"]);
    }

    #[test]
    fn numbers_are_read() {
        let number = |text: &str| Token::word(text).number();
        assert_eq!(number("1,200.5"), Some(1200.5));
        assert_eq!(number("$30"), Some(30.0));
        assert_eq!(number("20%"), Some(20.0));
        assert_eq!(number("5k"), Some(5000.0));
        assert_eq!(number("2024-03-01"), None);
        assert_eq!(number("nan"), None);
        assert_eq!(Token::word("three").whole(), Some(3));
    }

    #[test]
    fn plurals_lose_their_ending() {
        let stems = ["customers", "categories", "batches", "bus", "boss", "gas", "dish"].map(stem);
        assert_eq!(stems, ["customer", "category", "batch", "bus", "boss", "gas", "dish"]);
    }

    proptest! {
        #[test]
        fn anything_can_be_read(text in "\\PC{0,80}") {
            for token in tokens(&text) {
                let _ = (token.number(), token.whole(), stem(&token.text));
                prop_assert!(!token.text.is_empty());
            }
        }
    }
}
