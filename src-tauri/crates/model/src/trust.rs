//! Which certificates are trusted besides the system's.

use std::path::Path;

use reqwest::Certificate;

use crate::address::Address;
use crate::model::{ModelError, Obstacle};
use crate::obstacle::chain;

/// Where more trusted certificates may be named, as OpenSSL has it.
const CERTIFICATE_VARIABLE: &str = "SSL_CERT_FILE";

/// The certificates that are trusted besides the system's. A file that the person named has to be right;
/// of the variable's, which Linux honours by itself and other systems do not, what can be read is taken.
pub(crate) fn trusted_besides(
    extra_ca: Option<&Path>,
    address: &Address,
) -> Result<Vec<Certificate>, ModelError> {
    let from_variable =
        std::env::var_os(CERTIFICATE_VARIABLE).and_then(|path| certificates(path.as_ref()).ok());
    let mut trusted = from_variable.unwrap_or_default();
    if let Some(path) = extra_ca {
        let named = certificates(path).map_err(|reason| ModelError::Unreachable {
            host: address.host(),
            obstacle: Obstacle::Encryption,
            reason: format!("the certificate file {} cannot be used: {reason}", path.display()),
        })?;
        trusted.extend(named);
    }
    Ok(trusted)
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, String> {
    let pem = std::fs::read(path).map_err(|error| error.to_string())?;
    let certificates = Certificate::from_pem_bundle(&pem).map_err(chain)?;
    if certificates.is_empty() { Err("it holds no certificate in PEM form".into()) } else { Ok(certificates) }
}
