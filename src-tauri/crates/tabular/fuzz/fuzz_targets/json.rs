#![no_main]

mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reading::read("x.json", bytes, &[]);
    reading::read("x.json", &[b"[{\"", bytes].concat(), &[]);
    reading::read("x.jsonl", &[b"{\"a\":1}\n{\"", bytes].concat(), &[]);
});
