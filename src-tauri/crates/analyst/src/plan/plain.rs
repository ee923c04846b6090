//! The simplest look at a table, for when everything else failed.

use super::{Plan, Step};
use crate::opening::Table;

/// The plan for this table.
pub(super) fn plan(table: &Table) -> Plan {
    let header = format!(
        "\
import csv
import os

import matplotlib.pyplot as plt
import pandas as pd


def read_table():
    return {read}

",
        read = table.read_with,
    );
    let steps = vec![Step {
        title: "Taking a rough look",
        sentence: "That did not work. I take a rough look at the table instead.",
        code: format!("{header}\n{}", include_str!("../python/plain.py")),
    }];
    Plan { steps, writing_from: 0 }
}
