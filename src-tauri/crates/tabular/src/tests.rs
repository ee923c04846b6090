//! Whole files through [`crate::read`].
