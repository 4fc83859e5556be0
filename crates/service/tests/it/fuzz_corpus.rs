//! Runs the fuzz targets as ordinary tests: over their corpus, over mutated corpus files, and over random bytes.

use std::fs;
use std::path::Path;

use invoicing_gateway::fuzz_checks::{
    check_field_mask, check_filter_json, check_invoice_json, check_page_token, check_rest_request,
};
use invoicing_identity::fuzz_checks::{check_basic, check_form, check_token};
use proptest::prelude::*;

/// A fuzz target: its name, which is the name of its corpus folder, and its function.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 8] = [
    ("form", check_form),
    ("basic", check_basic),
    ("token", check_token),
    ("invoice", check_invoice_json),
    ("rest_request", check_rest_request),
    ("filter", check_filter_json),
    ("field_mask", check_field_mask),
    ("page_token", check_page_token),
];

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let entries = fs::read_dir(folder.join(target)).expect("the corpus folder exists");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "there is a corpus for {target}");
    files
        .iter()
        .map(|file| fs::read(file).expect("a file can be read"))
        .collect()
}

#[test]
fn every_fuzz_target_passes_its_corpus() {
    for (target, run) in TARGETS {
        for bytes in corpus(target) {
            run(&bytes);
        }
    }
}

#[test]
fn every_fuzz_target_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    let mut targets: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned())
        .collect();
    targets.sort();
    let mut here: Vec<_> = TARGETS.iter().map(|(target, _)| *target).collect();
    here.sort_unstable();
    assert_eq!(targets, here);
}

/// Removes a range of `bytes` (`how` 0), duplicates it (1), or replaces one byte (2).
fn mutated(mut bytes: Vec<u8>, at: usize, length: usize, how: u8, byte: u8) -> Vec<u8> {
    let from = at % (bytes.len() + 1);
    let to = (from + length).min(bytes.len());
    match how {
        0 => drop(bytes.drain(from..to)),
        1 => {
            let part = bytes[from..to].to_vec();
            bytes.splice(from..from, part);
        }
        _ => {
            if let Some(place) = bytes.get_mut(from) {
                *place = byte;
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fuzz_target_passes_mutated_corpus_files(
        file in any::<prop::sample::Index>(), at in 0_usize..200, length in 0_usize..40, how in 0_u8..3, byte in any::<u8>(),
    ) {
        for (target, run) in TARGETS {
            let files = corpus(target);
            run(&mutated(file.get(&files).clone(), at, length, how, byte));
        }
    }

    #[test]
    fn every_fuzz_target_passes_random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for (_, run) in TARGETS {
            run(&bytes);
        }
    }
}
