-- The documents that numbered debit notes name as preceding.
CREATE TABLE document_debits (
    organization_id TEXT NOT NULL,
    -- Keys of documents. The original may be one that does not exist here.
    original        BLOB NOT NULL,
    note            BLOB NOT NULL,
    PRIMARY KEY (organization_id, original, note)
) STRICT, WITHOUT ROWID;
-- A note that was rejected can be corrected, so that it names other documents.
CREATE INDEX document_debits_note ON document_debits (organization_id, note);

-- Those of notes that were numbered before. A body is a protobuf Document: every key of a document in it is field 1 of a message,
-- the bytes 0A 24 and 36 characters. Its own key is the first; the others are of its references. What only looks like a key
-- names no document.
WITH RECURSIVE notes (organization_id, note, body) AS (
    SELECT d.organization_id, d.key, c.body FROM documents d JOIN document_contents c ON c.id = d.id
    WHERE d.kind = 3 AND d.number <> ''
), rest (organization_id, note, text) AS (
    SELECT organization_id, note, substr(body, instr(body, x'0A24') + 2) FROM notes WHERE instr(body, x'0A24') > 0
    UNION ALL
    SELECT organization_id, note, substr(text, instr(text, x'0A24') + 2) FROM rest WHERE instr(text, x'0A24') > 0
), named (organization_id, note, original) AS (
    SELECT organization_id, note, unhex(CAST(substr(text, 1, 36) AS TEXT), '-') FROM rest
)
INSERT INTO document_debits (organization_id, original, note)
SELECT DISTINCT named.organization_id, named.original, named.note
FROM named JOIN documents o ON o.organization_id = named.organization_id AND o.key = named.original
WHERE named.original <> named.note;
