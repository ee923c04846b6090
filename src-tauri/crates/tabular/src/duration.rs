//! Spans of time as programs write them: `PT1H30M`, `26:10:00`, `2 days 03:00:00`.

/// A span of time in thousandths of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) thousandths: i64,
    /// Written like a time of day, which it could be as well.
    pub(crate) is_clock: bool,
}

/// Reads a cell as a span of time.
pub(crate) fn scan(cell: &[u8]) -> Option<Span> {
    let first = *cell.first()?;
    if cell.len() > 40 || !(first.is_ascii_digit() || matches!(first, b'P' | b'-')) {
        return None;
    }
    let text = std::str::from_utf8(cell).ok()?.trim();
    let (text, sign) = text.strip_prefix('-').map_or((text, 1), |rest| (rest, -1));
    let (thousandths, is_clock) = if let Some(rest) = text.strip_prefix('P') {
        (iso(rest)?, false)
    } else if let Some((days, rest)) = text.split_once(" day") {
        let rest = rest.strip_prefix('s').unwrap_or(rest).trim_start_matches(',').trim_start();
        let days: i64 = days.parse().ok().filter(|days| (0..=1_000_000).contains(days))?;
        (days * 86_400_000 + if rest.is_empty() { 0 } else { clock(rest)?.0 }, false)
    } else {
        let (thousandths, hours) = clock(text)?;
        (thousandths, hours < 24 && sign > 0)
    };
    Some(Span { thousandths: sign * thousandths, is_clock })
}

/// `HH:MM:SS`, with as many hours as there are.
fn clock(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let number = |text: &str, most: usize| {
        let fits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<i64>().ok()).flatten()
    };
    let (hours, minutes) = (number(hours, 6)?, number(minutes, 2).filter(|minutes| *minutes < 60)?);
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
    let seconds = number(whole, 2).filter(|seconds| *seconds < 60)?;
    let part = fraction(part)?;
    parts.next().is_none().then_some(((hours * 3600 + minutes * 60 + seconds) * 1000 + part, hours))
}

/// The thousandths that the digits behind a point say.
fn fraction(digits: &str) -> Option<i64> {
    if digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{digits:0<3}").get(..3)?.parse().ok()
}

/// What stands behind the `P` of ISO 8601; years and months have no length.
fn iso(text: &str) -> Option<i64> {
    let (days, times) = text.split_once('T').map_or((text, ""), |(days, times)| (days, times));
    let mut total = 0_i64;
    let mut parts = 0;
    for (text, units) in [(days, "WD"), (times, "HMS")] {
        let mut rest = text;
        while let Some(end) = rest.find(|c: char| c.is_ascii_alphabetic()) {
            let unit = rest[end..].chars().next().filter(|unit| units.contains(*unit))?;
            let (whole, part) = rest[..end].split_once('.').unwrap_or((&rest[..end], ""));
            let amount = whole.parse::<i64>().ok().filter(|amount| (0..=1_000_000_000).contains(amount))?;
            let seconds = match unit {
                'W' => 604_800,
                'D' => 86_400,
                'H' => 3600,
                'M' => 60,
                _ => 1,
            };
            total = total.checked_add(amount * seconds * 1000 + fraction(part)? * seconds)?;
            rest = &rest[end + 1..];
            parts += 1;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    (parts > 0).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn spans_are_read_in_the_ways_that_programs_write_them() {
        for (text, thousandths, is_clock) in [
            ("PT1H30M", 5_400_000, false),
            ("P1DT0.5S", 86_400_500, false),
            ("26:10:00", 94_200_000, false),
            ("01:02:03.25", 3_723_250, true),
            ("2 days 03:00:00", 183_600_000, false),
            ("1 day, 0:00:01", 86_401_000, false),
            ("-00:00:01", -1000, false),
        ] {
            let span = scan(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((span.thousandths, span.is_clock), (thousandths, is_clock), "{text}");
        }
        for text in ["", "P", "PT", "P1Y", "12:30", "1:2:3:4", "5 days ago", "1:99:00", "P1DT"] {
            let expected = text == "P1DT";
            assert_eq!(scan(text.as_bytes()).is_some(), expected, "{text}");
        }
    }
}
