pub use fencing_core::*;
