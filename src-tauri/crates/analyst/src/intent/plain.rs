//! The simplest look at a table, for when everything else failed.

use super::Intent;
use crate::plan::{Plan, Step, Task};

pub(super) const INTENT: Intent = Intent { word: "plain", does: "", cues: &[], fits: |_| 0, plan };

/// The plan for this table.
fn plan(task: &Task<'_>) -> Plan {
    let table = task.table;
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
        sentence: "That did not work. I take a rough look at the table instead.".into(),
        code: format!("{header}\n{}", include_str!("../python/plain.py")),
    }];
    Plan { steps, writing_from: 0 }
}
