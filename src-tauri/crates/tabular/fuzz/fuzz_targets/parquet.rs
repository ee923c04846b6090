#![no_main]

mod reading;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reading::read("x.parquet", &[b"PAR1", bytes, b"PAR1"].concat(), &[]);
});
