#![no_main]

mod reading;

libfuzzer_sys::fuzz_target!(|input: (Vec<String>, &[u8])| {
    let settings: Vec<&str> = input.0.iter().map(String::as_str).collect();
    reading::read("x.csv", input.1, &settings);
});
