//! Whole flows against the real engine; see the files in `flows/`.
