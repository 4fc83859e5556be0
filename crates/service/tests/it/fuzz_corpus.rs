//! A short run of the fuzz targets: over their kept corpus, over each file of it with something cut out, doubled or changed,
//! and over bytes at random.

use std::fs;
use std::path::Path;

use invoicing_gateway::documents::fuzz_checks::check_invoice_json;
use invoicing_identity::fuzz_checks::{as_basic, as_form, as_token};
use proptest::prelude::*;

/// A target: the folder of its corpus, and what must hold.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 4] = [
    ("form", as_form),
    ("basic", as_basic),
    ("token", as_token),
    ("invoice", check_invoice_json),
];

fn kept(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let entries = fs::read_dir(folder.join(target)).expect("the kept corpus is part of the crate");
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
fn every_target_holds_over_its_kept_corpus() {
    for (target, run) in TARGETS {
        for bytes in kept(target) {
            run(&bytes);
        }
    }
}

#[test]
fn every_target_of_the_fuzzer_is_run_here() {
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

/// `bytes` with a part cut out, doubled, or one byte changed.
fn changed(mut bytes: Vec<u8>, at: usize, length: usize, how: u8, byte: u8) -> Vec<u8> {
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
    fn every_target_holds_over_a_changed_file(
        file in any::<prop::sample::Index>(), at in 0_usize..200, length in 0_usize..40, how in 0_u8..3, byte in any::<u8>(),
    ) {
        for (target, run) in TARGETS {
            let files = kept(target);
            run(&changed(file.get(&files).clone(), at, length, how, byte));
        }
    }

    #[test]
    fn every_target_holds_over_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for (_, run) in TARGETS {
            run(&bytes);
        }
    }
}
