#![no_main]

mod reading;

use std::io::Write;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    reading::read("x.csv.gz", &[b"\x1F\x8B\x08", bytes].concat(), &[]);
    reading::read("x.csv.zst", &[b"\x28\xB5\x2F\xFD", bytes].concat(), &[]);
    reading::read("x.zip", &[b"PK\x03\x04", bytes].concat(), &[]);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    if encoder.write_all(bytes).is_ok()
        && let Ok(packed) = encoder.finish()
    {
        reading::read("x.csv.gz", &packed, &[]);
    }
});
