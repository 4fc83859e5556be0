//! A short run of the fuzz targets for UBL and Cross Industry Invoices, over their corpora and over mutated corpus
//! files.

use std::fs;
use std::path::Path;

use crate::fixtures::fuzz_checks::{check_cii, check_ubl};
use proptest::prelude::*;

fn corpus_files(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let entries = fs::read_dir(folder).expect("the corpus is part of the crate");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there is a corpus");
    files
        .iter()
        .map(|file| fs::read(file).expect("a file can be read"))
        .collect()
}

#[test]
fn every_corpus_file_is_rejected_or_round_trips() {
    for bytes in corpus_files("ubl") {
        check_ubl(&bytes);
    }
    for bytes in corpus_files("cii") {
        check_cii(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn mutated_corpus_file_is_rejected_or_round_trips(
        file in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(), length in 0_usize..60, to in any::<prop::sample::Index>(),
        how in 0_u8..3, byte in any::<u8>(), is_cii in any::<bool>(),
    ) {
        let (target, check): (_, fn(&[u8])) = if is_cii { ("cii", check_cii) } else { ("ubl", check_ubl) };
        let files = corpus_files(target);
        let mut bytes = file.get(&files).clone();
        let from = from.index(bytes.len());
        let end = (from + length).min(bytes.len());
        match how {
            0 => drop(bytes.drain(from..end)),
            1 => {
                let part = bytes[from..end].to_vec();
                let to = to.index(bytes.len());
                bytes.splice(to..to, part);
            }
            _ => bytes[from] = byte,
        }
        check(&bytes);
    }
}
