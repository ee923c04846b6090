//! Cells as names of columns.

use crate::note;
use std::collections::HashSet;

/// The cell as a name: on one line, without blanks around it and without invisible marks.
pub(super) fn clean(cell: &str) -> String {
    let unseen = |c: char| (c.is_control() && !c.is_whitespace()) || matches!(c, '\u{FEFF}' | '\u{200B}');
    let visible = cell.replace(unseen, "");
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Two rows of names as one; a name of the first row reaches over the gaps to its right.
pub(super) fn join(first: &[String], second: &[String]) -> Vec<String> {
    let mut reaching = String::new();
    (0..first.len().max(second.len()))
        .map(|column| {
            let above = first.get(column).map_or("", String::as_str);
            if !above.is_empty() {
                above.clone_into(&mut reaching);
            }
            let below = second.get(column).map_or_else(String::new, |cell| clean(cell));
            if below.is_empty() { above.to_owned() } else { format!("{reaching} {below}").trim().to_owned() }
        })
        .collect()
}

/// Gives every column a name of its own.
pub(super) fn unique_names(cells: &[String], notes: &mut Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = cells.iter().cloned().collect();
    let mut seen = HashSet::new();
    let mut renamed = Vec::new();
    let mut nameless = Vec::new();
    let names = cells
        .iter()
        .enumerate()
        .map(|(column, cell)| {
            if cell.is_empty() {
                let name = unique(&format!("column_{}", column + 1), &taken);
                nameless.push(name.clone());
                taken.insert(name.clone());
                name
            } else if seen.insert(cell.clone()) {
                cell.clone()
            } else {
                let name = unique(cell, &taken);
                renamed.push(name.clone());
                taken.insert(name.clone());
                name
            }
        })
        .collect();
    if !renamed.is_empty() {
        notes.push(format!(
            "Several columns have the same name; the later ones are called {}.",
            note::listed(&renamed, 5)
        ));
    }
    match nameless.as_slice() {
        [] => {}
        [name] => notes.push(format!("One column has no name; it is called `{name}`.")),
        many => notes.push(format!(
            "{} columns have no name; they are called {}.",
            note::grouped(many.len() as u64),
            note::listed(many, 5)
        )),
    }
    names
}

/// The name, with a number behind it when it is taken.
pub(super) fn unique(name: &str, taken: &HashSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while taken.contains(&free) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}
