//! Tests of the format: what is written reads back, and what was changed is refused.

use super::*;

fn events(ids: std::ops::Range<i64>) -> Vec<RecordedEvent> {
    let event = |id| {
        let kind = AuditEventKind::ALL[usize::try_from(id).unwrap() % 27];
        let at = Timestamp::from_millis(1_800_000_000_000 - id);
        let mut event = AuditEvent::new(at, kind).detail("عربي", "\"\n\u{1}");
        if id % 2 == 0 {
            event = event
                .subject(&"noura".into())
                .actor("salem")
                .organization(&"riyadh".into())
                .client(&"app".into())
                .address([127, 0, 0, 1].into());
        }
        RecordedEvent { id, event }
    };
    ids.map(event).collect()
}

#[test]
fn events_of_every_kind_read_back_as_they_were() {
    let previous = ChainHash([7; 32]);
    let events = events(5..60);
    let (file, hash) = encode(&events, previous).unwrap();
    let content = decode(&file[..]).unwrap();
    assert_eq!(content.events, events);
    assert_eq!(content.hashes.last(), Some(&hash));
    assert_eq!(
        content.header.hashes(),
        (&*hash_text(previous), &*hash_text(hash))
    );
    assert_eq!((content.header.first, content.header.last), (5, 59));
    assert_eq!(events.iter().fold(previous, chain), hash);
    assert_eq!(encode(&events, previous).unwrap().0, file, "the same file");
    assert_eq!(parse_hash(&hash_text(hash)), Some(hash));
}

#[test]
fn file_that_is_cut_off_anywhere_is_refused() {
    let (file, _) = encode(&events(1..20), ChainHash::default()).unwrap();
    for length in 0..file.len() {
        assert!(decode(&file[..length]).is_err(), "{length}");
    }
}

#[test]
fn file_with_any_changed_byte_is_refused_or_has_the_same_content() {
    let events = events(1..6);
    let (file, hash) = encode(&events, ChainHash::default()).unwrap();
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 0x10;
        if let Ok(content) = decode(&changed[..]) {
            assert_eq!(content.events, events, "byte {at}");
            assert_eq!(content.hashes.last(), Some(&hash), "byte {at}");
        }
    }
}

/// A file with its lines changed by `change`, compressed again.
fn rewritten_file(change: impl FnOnce(&mut Vec<String>)) -> Vec<u8> {
    let (file, _) = encode(&events(1..6), ChainHash::default()).expect("memory takes everything");
    let mut text = String::new();
    GzDecoder::new(&file[..])
        .read_to_string(&mut text)
        .expect("memory takes everything");
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    let mut file = GzEncoder::new(Vec::new(), Compression::default());
    file.write_all((lines.join("\n") + "\n").as_bytes())
        .expect("memory takes everything");
    file.finish().expect("memory takes everything")
}

fn rewritten(change: impl FnOnce(&mut Vec<String>)) -> Result<Content, FormatError> {
    decode(&rewritten_file(change)[..])
}

#[test]
fn missing_changed_reordered_and_added_events_are_told_apart() {
    assert!(rewritten(|_| ()).is_ok());
    let missing = rewritten(|lines| drop(lines.remove(3)));
    assert!(matches!(
        missing,
        Err(FormatError::NotInOrder { expected: 3, .. })
    ));
    let truncated = rewritten(|lines| drop(lines.pop()));
    let end = MaybeEvent(None);
    assert!(
        matches!(truncated, Err(FormatError::NotInOrder { expected: 5, found }) if found == end)
    );
    let reordered = rewritten(|lines| lines.swap(2, 3));
    assert!(matches!(
        reordered,
        Err(FormatError::NotInOrder { expected: 2, .. })
    ));
    let changed = rewritten(|lines| lines[3] = lines[3].replace("1799999999997", "1799999999990"));
    assert!(
        matches!(
            changed,
            Err(FormatError::Line { .. } | FormatError::OtherHash)
        ),
        "{changed:?}"
    );
    let changed = rewritten(|lines| lines[2] = lines[2].replace("salem", "noura"));
    assert!(
        matches!(changed, Err(FormatError::OtherHash)),
        "{changed:?}"
    );
    let added = rewritten(|lines| lines.push(lines[5].clone()));
    assert!(matches!(added, Err(FormatError::Excess)));
    let later = rewritten(|lines| lines[0] = lines[0].replace("\"version\":1", "\"version\":2"));
    assert!(matches!(
        later,
        Err(FormatError::UnknownFormat { version: 2, .. })
    ));
    let kind = rewritten(|lines| lines[1] = lines[1].replace("\"kind\":\"", "\"kind\":\"un"));
    assert!(
        matches!(kind, Err(FormatError::UnknownKind { id: 1, .. })),
        "{kind:?}"
    );
}
