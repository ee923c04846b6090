//! Whether there is room on the disk, asked before something large is begun.

use std::path::{Path, PathBuf};

use bollard::Docker;

use crate::error::SandboxError;

/// Bytes that are free where a file or folder lies, or would; `None` where the system does not say.
pub fn free_bytes(place: &Path) -> Option<u64> {
    let there = place.ancestors().find_map(|folder| folder.canonicalize().ok())?;
    let disks = sysinfo::Disks::new_with_refreshed_list().ok()?;
    let holding = disks.iter().filter(|disk| there.starts_with(disk.mount_point()));
    holding.max_by_key(|disk| disk.mount_point().as_os_str().len()).map(sysinfo::Disk::available_space)
}

/// Checks that so many bytes are free in a place.
///
/// # Errors
/// [`SandboxError::TooLittleSpace`] where they are not.
pub fn check_space(place: &Path, needed_bytes: u64) -> Result<(), SandboxError> {
    match free_bytes(place) {
        Some(free_bytes) if free_bytes < needed_bytes => {
            Err(SandboxError::TooLittleSpace { free_bytes, needed_bytes })
        }
        _ => Ok(()),
    }
}

/// The same where the engine keeps its images. An engine in a virtual machine keeps them in a file of this
/// computer, usually below the person's home.
pub(super) async fn check_engine_space(docker: &Docker, needed_bytes: u64) -> Result<(), SandboxError> {
    let folder = docker.info().await?.docker_root_dir.map(PathBuf::from).filter(|folder| folder.exists());
    let home = || std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" }).map(PathBuf::from);
    match folder.or_else(home) {
        Some(place) => check_space(&place, needed_bytes),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_073_room_is_counted_where_a_folder_will_lie() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("not/yet/there");
        assert!(free_bytes(&place).is_some_and(|free| free > 0));
        assert!(check_space(&place, 1).is_ok());
        let told = check_space(&place, u64::MAX);
        assert!(matches!(told, Err(SandboxError::TooLittleSpace { needed_bytes: u64::MAX, .. })), "{told:?}");
    }
}
