//! What names say: the words of a column's name, its unit, and what kind of quantity it is.

/// The lower-case words of a name or sentence: `equipment load [kWh]` and `energyUse_kwh` alike.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut before_is_lower = false;
    for character in text.chars() {
        let starts_word = character.is_uppercase() && before_is_lower;
        if (!character.is_alphanumeric() && character != '°' && character != '%') || starts_word {
            found.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if character.is_alphanumeric() || character == '°' || character == '%' {
            word.extend(character.to_lowercase());
        }
        // `kWh` is one word: a capital that follows a single lower-case letter does not start one.
        before_is_lower = character.is_lowercase() && word.chars().count() > 1;
    }
    found.extend((!word.is_empty()).then_some(word));
    found
}

/// Whether the word is one of a list of words with blanks between them.
pub(crate) fn is_among(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// How readings of a unit add up over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adding {
    /// Amounts, such as kWh an hour: their sum is the total.
    Sum,
    /// A power, such as kW: its sum times the step is an energy.
    Power,
    /// Anything else: only averages make sense.
    Mean,
}

impl Adding {
    /// The word the Python of a plan knows it by.
    pub(crate) fn python_name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Power => "power",
            Self::Mean => "mean",
        }
    }
}

/// Spelling in lower case, how it is shown, how it adds up.
const UNITS: &[(&str, &str, Adding)] = &[
    ("kwh", "kWh", Adding::Sum),
    ("wh", "Wh", Adding::Sum),
    ("mwh", "MWh", Adding::Sum),
    ("gwh", "GWh", Adding::Sum),
    ("kw", "kW", Adding::Power),
    ("mw", "MW", Adding::Power),
    ("w", "W", Adding::Power),
    ("m3", "m³", Adding::Sum),
    ("m³", "m³", Adding::Sum),
    ("litres", "l", Adding::Sum),
    ("liters", "l", Adding::Sum),
    ("c", "°C", Adding::Mean),
    ("°c", "°C", Adding::Mean),
    ("degc", "°C", Adding::Mean),
    ("celsius", "°C", Adding::Mean),
    ("f", "°F", Adding::Mean),
    ("°f", "°F", Adding::Mean),
    ("degf", "°F", Adding::Mean),
    ("fahrenheit", "°F", Adding::Mean),
    ("percent", "%", Adding::Mean),
    ("pct", "%", Adding::Mean),
    ("%", "%", Adding::Mean),
];

/// The unit that a name ends with, as it is shown, and how it adds up.
pub(crate) fn unit(name: &str) -> Option<(&'static str, Adding)> {
    let words = words(name);
    let last = words.last()?;
    // `c` or `w` alone is a name, not a unit.
    let known = UNITS.iter().find(|(spelling, ..)| spelling == last)?;
    (words.len() > 1).then_some((known.1, known.2))
}

/// The name in plain words, without its unit: `energy_kwh` is `energy use`.
pub(crate) fn in_words(name: &str) -> String {
    let mut words = words(name);
    if unit(name).is_some() {
        words.pop();
    }
    let joined = words.join(" ");
    match joined.as_str() {
        "" => name.to_owned(),
        "energy" | "electricity" | "power" | "water" | "gas" | "heat" => format!("{joined} use"),
        "value" | "values" | "reading" | "y" | "data" => "readings".to_owned(),
        _ => joined,
    }
}

/// Words for amounts whose total says something; of anything else the average does.
const AMOUNTS: &str = "amount amounts cost costs count counts quantity qty revenue sales sale turnover takings profit spend \
    spending expenses total totals units orders order visits visitors passengers people population flights trips \
    precipitation rain rainfall production output budget tip tips tolls donations votes employed unemployed men women";

/// Whether the numbers of a column of this name make sense added up.
pub(crate) fn adds_up(name: &str) -> bool {
    let words = words(name);
    let is_a_ratio = words
        .iter()
        .any(|word| is_among(word, "rate share percent percentage average mean median per ratio index %"));
    let adding = unit(name).is_some_and(|(_, adding)| adding == Adding::Sum);
    !is_a_ratio && (adding || words.iter().any(|word| is_among(word, AMOUNTS)))
}

/// What kind of quantity a name speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// Something used: energy, power, water ...
    Use,
    /// A temperature.
    Temperature,
    /// Other weather.
    Weather,
    /// A number that counts or places rows, and is no reading.
    Place,
    /// Anything else.
    Other,
}

const USE: &str = "energy kwh mwh wh kw mw load eload power consumption usage use electricity electric demand meter \
    gas water heat heating cooling steam verbrauch energie strom leistung consommation consumo \
    energia energía";
const TEMPERATURE: &str = "temp temps temperature temperatur oat drybulb temperatura température degc degf";
const WEATHER: &str = "humidity hum rh wind irradiance irrad radiation pressure cloud rain precipitation dew weather \
    solar";
/// `year`, `hour of day`: the name begins with it. `visits per day` is another matter.
const CLOCK: &str = "year month day hour minute week weekday";
/// `meter id`, `row number`: the name ends with it. `number of visits` is another matter.
const LABEL: &str = "id index no nr number code zip postcode key rank row";
const PLACE: &str = "lat latitude lon lng longitude unnamed";

/// What kind of quantity a name speaks of.
pub(crate) fn quantity(name: &str) -> Quantity {
    let words = words(name);
    let has = |list| words.iter().any(|word| is_among(word, list));
    let is = |word: Option<&String>, list| word.is_some_and(|word| is_among(word, list));
    if is(words.first(), CLOCK) || is(words.last(), LABEL) || has(PLACE) {
        Quantity::Place
    } else if has(TEMPERATURE) {
        Quantity::Temperature
    } else if has(WEATHER) {
        Quantity::Weather
    } else if has(USE) {
        Quantity::Use
    } else {
        Quantity::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_names() {
        assert_eq!(words("equipment load [kWh]"), ["equipment", "load", "kwh"]);
        assert_eq!(words("energyUse_kwh"), ["energy", "use", "kwh"]);
        assert_eq!(words("air_temperature [°C]"), ["air", "temperature", "°c"]);
        assert_eq!(words(" -- "), Vec::<String>::new());
    }

    #[test]
    fn finds_units_and_plain_words() {
        assert_eq!(unit("energy_kwh"), Some(("kWh", Adding::Sum)));
        assert_eq!(unit("Power (kW)"), Some(("kW", Adding::Power)));
        assert_eq!(unit("outdoor_temp_c"), Some(("°C", Adding::Mean)));
        assert_eq!(unit("c"), None);
        assert_eq!(unit("value"), None);
        assert_eq!(in_words("energy_kwh"), "energy use");
        assert_eq!(in_words("equipment load [kWh]"), "equipment load");
        assert_eq!(in_words("value"), "readings");
        assert_eq!(in_words("***"), "***");
    }

    #[test]
    fn tells_quantities_apart() {
        assert_eq!(quantity("eload"), Quantity::Use);
        assert_eq!(quantity("temp"), Quantity::Temperature);
        assert_eq!(quantity("heating_supply_temperature"), Quantity::Temperature);
        assert_eq!(quantity("rltv_hum [%]"), Quantity::Weather);
        assert_eq!(quantity("meter_id"), Quantity::Place);
        assert_eq!(quantity("hour of day"), Quantity::Place);
        assert_eq!(quantity("number of visits per day"), Quantity::Other);
        assert_eq!(quantity("row number"), Quantity::Place);
        assert_eq!(quantity("attempt"), Quantity::Other);
    }
}
