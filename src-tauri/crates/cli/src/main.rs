//! The headless front.
fn main() {}
