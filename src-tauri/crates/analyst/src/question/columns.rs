//! Which column a word means: by name, by a part of the name, by unit, by meaning, or nearly.

use super::tokens::{Token, stem};
use crate::opening::{Column, Kind, Table};
use crate::words::{is_among, words};

/// Words that carry no meaning of their own.
pub(crate) const FILLERS: &str = "a an and any are as at be been both but by can could data did do does dont each every file find for from \
    get give had has have how i if in into is it its just know let like list look make me much my of on one or our out \
    over per please said same see seem should show so some such table tell than that the their them then \
    there these they this those to us used using value values want was we well were what when where which who \
    whose will with would you your also really very about come comes came go goes went going up down left work works worked happen happens \
    happened occur occurs got made makes column columns between check entire whole together people person persons row rows \
    record records entry entries observation observations case cases individual individuals thing things here anything something nothing everything minutes \
    dataset provided given recorded paid received determine identify calculate compute";

/// Words that mean much the same in the names of columns.
const MEANINGS: [&str; 21] = [
    "use usage consumption energy load electricity power demand eload kwh",
    "temperature temp temperatures tmax tmin",
    "price cost fare charge charges amount premium",
    "revenue sales turnover sale takings income sell sold",
    "customer client buyer account shopper",
    "airline carrier operator",
    "delay late lateness delayed",
    "wage salary pay paid earning earnings income earn",
    "gender sex",
    "rain precipitation rainfall wet",
    "horsepower hp",
    "country nation",
    "product item article sku",
    "region area district borough zone",
    "city town",
    "category type kind class",
    "bill check invoice",
    "unit quantity qty units pieces",
    "date day when",
    "distance length miles km",
    "flight flights traffic",
];

/// How surely words mean a column, out of 100.
pub(crate) type Fit = u32;

/// The stems of a name without its fillers; of a name of fillers alone, all.
pub(crate) fn stems(name: &str) -> Vec<String> {
    let all: Vec<String> = words(name).iter().map(|word| stem(word)).collect();
    let telling: Vec<String> = all.iter().filter(|word| !is_among(word, FILLERS)).cloned().collect();
    if telling.is_empty() { all } else { telling }
}

/// The column whose whole name the first tokens spell, and how many they are: the longest such name.
pub(crate) fn spelled(table: &Table, tokens: &[Token]) -> Option<(usize, usize)> {
    let spells = |column: &Column| -> Option<usize> {
        let first = tokens.first()?;
        if first.quoted || first.raw == column.name {
            return (first.raw == column.name || first.quoted && same(&first.raw, &column.name)).then_some(1);
        }
        let named: Vec<String> = words(&column.name).iter().map(|word| stem(word)).collect();
        if named.is_empty() {
            return None;
        }
        // `total_bill` is one token's text or two; `total bill` is two.
        let mut left = named.iter();
        for (taken, token) in tokens.iter().enumerate().take(24) {
            for word in words(&token.raw) {
                if token.quoted || left.next() != Some(&stem(&word)) {
                    return None;
                }
            }
            if left.len() == 0 {
                return Some(taken + 1);
            }
        }
        None
    };
    let found = table.columns.iter().enumerate().filter_map(|(at, column)| Some((at, spells(column)?)));
    found.fold(None, |best, next| {
        if best.is_some_and(|best: (usize, usize)| best.1 >= next.1) { best } else { Some(next) }
    })
}

fn same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// The column that a run of telling words means best, how surely, and which of the words it takes. The first word of
/// the question decides between columns that are questions themselves.
pub(crate) fn meant(table: &Table, run: &[&Token], asked_with: &str) -> Option<(usize, Fit, Vec<bool>)> {
    let asked: Vec<String> = run.iter().map(|token| stem(&token.text)).collect();
    let mut best: Option<(usize, Fit, Vec<bool>)> = None;
    for (at, column) in table.columns.iter().enumerate() {
        // A word for the rows, such as passengers, is no passenger id.
        if column.kind == Kind::Identifier {
            continue;
        }
        let named = stems(&column.name);
        let fits: Vec<Fit> =
            asked.iter().map(|word| named.iter().map(|own| likeness(word, own)).max().unwrap_or(0)).collect();
        let unit = column.unit.as_deref().map(str::to_lowercase);
        let fits: Vec<Fit> = fits
            .into_iter()
            .zip(&asked)
            .map(
                |(fit, word)| {
                    if unit.as_deref().is_some_and(|unit| is_unit(word, unit)) { fit.max(60) } else { fit }
                },
            )
            .collect();
        let sum: Fit = fits.iter().sum();
        let matched = fits.iter().filter(|fit| **fit > 0).count();
        if matched == 0 {
            continue;
        }
        // A word that is one of three in a name says less than one of one; two words say more than one.
        let length = Fit::try_from(named.len().max(1)).unwrap_or(1);
        let score = sum * (4 + Fit::try_from(matched).unwrap_or(1)) / (4 + length);
        // `What is the main dish?` is the column that asks so, and not the one that asks how it is cooked.
        let asks_alike = words(&column.name).first().is_some_and(|first| first == asked_with);
        let score = if asks_alike { score + score / 4 } else { score };
        if score >= 20 && best.as_ref().is_none_or(|(_, highest, _)| score > *highest) {
            best = Some((at, score, fits.iter().map(|fit| *fit > 0).collect()));
        }
    }
    best
}

/// How alike two stems are: the same, the beginning, of one meaning, or one slip apart.
fn likeness(asked: &str, named: &str) -> Fit {
    let shorter = asked.chars().count().min(named.chars().count());
    if asked == named {
        100
    } else if shorter >= 4 && (asked.starts_with(named) || named.starts_with(asked)) {
        75
    } else if shorter == 3 && asked.len() > 5 && asked.starts_with(named)
        || asked.chars().zip(named.chars()).take_while(|(a, b)| a == b).count() >= 6
    {
        // `arr` stands for arrival; satisfied and satisfaction begin alike.
        65
    } else if MEANINGS.iter().any(|group| {
        let has = |word: &str| group.split(' ').any(|one| stem(one) == word);
        has(asked) && has(named)
    }) {
        60
    } else if shorter >= 5 && slips(asked, named) <= 1 + usize::from(shorter >= 9) {
        55
    } else {
        0
    }
}

fn is_unit(word: &str, unit: &str) -> bool {
    const SPOKEN: [(&str, &str); 6] = [
        ("dollar", "$"),
        ("euro", "€"),
        ("pound", "£"),
        ("degree", "°c"),
        ("percent", "%"),
        ("celsius", "°c"),
    ];
    word == unit || SPOKEN.iter().any(|(spoken, sign)| *spoken == word && *sign == unit)
}

/// The number of letters to add, drop, change or swap with the next to make one word of the other.
fn slips(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 2 || one.len() > 40 {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut least = (rows[i][j] + usize::from(a != b)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn table(names: &[&str]) -> Table {
        let columns = names.iter().map(|name| Column { name: (*name).into(), ..Column::default() }).collect();
        Table { columns, ..Table::default() }
    }

    #[test]
    fn whole_names_win_and_the_longest_first() {
        let bills = table(&["total", "total_bill", "Unit Price", "n"]);
        assert_eq!(spelled(&bills, &tokens("total bill by day")), Some((1, 2)));
        assert_eq!(spelled(&bills, &tokens("total_bill")), Some((1, 1)));
        assert_eq!(spelled(&bills, &tokens("totals")), Some((0, 1)));
        assert_eq!(spelled(&bills, &tokens("'unit price'")), Some((2, 1)));
        assert_eq!(spelled(&bills, &tokens("price")), None);
    }

    #[test]
    fn parts_meanings_units_and_slips_are_seen() {
        let mut mixed =
            table(&["temp_max", "temp_min", "energy_kwh", "dep_delay", "Car Insurance Premiums ($)"]);
        mixed.columns[4].unit = Some("$".into());
        let found = |words: &str| {
            let read = tokens(words);
            meant(&mixed, &read.iter().collect::<Vec<_>>(), "").map(|(at, ..)| at)
        };
        assert_eq!(found("electricity"), Some(2));
        assert_eq!(found("delays"), Some(3));
        assert_eq!(found("insurance premium"), Some(4));
        assert_eq!(found("max temperature"), Some(0));
        assert_eq!(found("min temperature"), Some(1));
        assert_eq!(found("insurence"), Some(4));
        assert_eq!(found("dollars"), Some(4));
        assert_eq!(found("zebra"), None);
    }

    #[test]
    fn slips_are_counted() {
        assert_eq!((slips("delay", "dealy"), slips("delay", "delay"), slips("ab", "abcd")), (1, 0, 2));
    }
}
