#![no_main]

mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reading::read("x.xlsx", bytes, &[]);
    reading::read("x.xls", &[b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", bytes].concat(), &[]);
});
