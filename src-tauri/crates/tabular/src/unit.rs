//! The unit that a column's name says.

/// Units with the spellings that names use, in small letters.
const UNITS: [(&str, &[&str]); 41] = [
    ("kWh", &["kwh"]),
    ("MWh", &["mwh"]),
    ("GWh", &["gwh"]),
    ("Wh", &["wh"]),
    ("kW", &["kw"]),
    ("MW", &["mw"]),
    ("W", &["w", "watt", "watts"]),
    ("kJ", &["kj"]),
    ("MJ", &["mj"]),
    ("°C", &["c", "°c", "degc", "deg_c", "celsius"]),
    ("°F", &["f", "°f", "degf", "deg_f", "fahrenheit"]),
    ("K", &["kelvin"]),
    ("%", &["%", "pct", "percent", "percentage"]),
    ("m", &["m", "meter", "meters", "metre", "metres"]),
    ("cm", &["cm"]),
    ("mm", &["mm"]),
    ("km", &["km"]),
    ("mi", &["mi", "miles"]),
    ("ft", &["ft", "feet"]),
    ("m²", &["m2", "m²", "sqm"]),
    ("m³", &["m3", "m³"]),
    ("L", &["l", "liter", "liters", "litre", "litres"]),
    ("kg", &["kg"]),
    ("g", &["g"]),
    ("t", &["t", "tonnes"]),
    ("lb", &["lb", "lbs"]),
    ("m/s", &["m/s", "mps", "ms-1"]),
    ("km/h", &["km/h", "kmh", "kph"]),
    ("mph", &["mph"]),
    ("Pa", &["pa"]),
    ("hPa", &["hpa"]),
    ("mbar", &["mbar", "mb"]),
    ("V", &["v", "volt", "volts"]),
    ("A", &["a", "amp", "amps"]),
    ("Hz", &["hz"]),
    ("s", &["s", "sec", "secs", "seconds"]),
    ("ms", &["ms"]),
    ("min", &["min", "minutes"]),
    ("h", &["h", "hours"]),
    ("ppm", &["ppm"]),
    ("lux", &["lux"]),
];

/// Money, by sign and by code.
const CURRENCIES: [&str; 10] = ["$", "€", "£", "¥", "usd", "eur", "gbp", "jpy", "chf", "cny"];

/// Endings after an underscore that are something else more often than a unit.
const OFTEN_WORDS: [&str; 15] =
    ["m", "a", "v", "t", "g", "s", "h", "l", "w", "mi", "min", "feet", "pct", "percent", "percentage"];

/// Units that are a unit even behind a blank.
const NO_WORDS: [&str; 10] = ["kwh", "mwh", "gwh", "kw", "mw", "hpa", "mbar", "ppm", "km/h", "kg"];

/// The unit that the name ends with: in brackets, or as the last word.
pub(crate) fn of(name: &str) -> Option<String> {
    let name = name.trim();
    for (open, close) in [('[', ']'), ('(', ')')] {
        let inside = name.strip_suffix(close).and_then(|name| name.rsplit_once(open));
        if let Some((_, inside)) = inside {
            let symbol =
                open == '[' || inside.chars().any(|c| matches!(c, '°' | '/' | '²' | '³' | '%' | 'µ'));
            let written = symbol && (1..=12).contains(&inside.chars().count()) && !inside.contains(' ');
            return known(inside).or_else(|| written.then(|| inside.to_owned()));
        }
    }
    let (rest, last) = name.rsplit_once(['_', ' '])?;
    let last = last.to_lowercase();
    let measured = match last.as_str() {
        "c" | "f" => rest.to_lowercase().contains("temp"),
        word if name.ends_with(&format!(" {word}")) => NO_WORDS.contains(&word),
        word => !OFTEN_WORDS.contains(&word),
    };
    measured.then(|| known(&last)).flatten()
}

fn known(word: &str) -> Option<String> {
    let word = word.trim().to_lowercase();
    if CURRENCIES.contains(&word.as_str()) {
        return Some(word.to_uppercase());
    }
    UNITS.iter().find(|(_, spellings)| spellings.contains(&word.as_str())).map(|(unit, _)| (*unit).to_owned())
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn units_come_from_endings_and_brackets() {
        for (name, unit) in [
            ("energy_kwh", Some("kWh")),
            ("outdoor_temp_c", Some("°C")),
            ("Temperature (°C)", Some("°C")),
            ("air_temperature [degC]", Some("°C")),
            ("glbl_irad_amt [W/m2]", Some("W/m2")),
            ("rltv_hum [%]", Some("%")),
            ("Car Insurance Premiums ($)", Some("$")),
            ("Economy (GDP per Capita)", None),
            ("vitamin_c", None),
            ("temp_min", None),
            ("Corporate Revenue", None),
            ("on_base_percentage", None),
            ("collisions per billion miles", None),
            ("load kWh", Some("kWh")),
        ] {
            assert_eq!(of(name).as_deref(), unit, "{name}");
        }
    }
}
