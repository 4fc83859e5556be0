-- The documents that numbered debit notes name as preceding. Isolated as documents are (0005).
CREATE TABLE document_debits (
    organization_id text COLLATE "C" NOT NULL,
    -- Keys of documents. The original may be one that does not exist here.
    original        uuid NOT NULL,
    note            uuid NOT NULL,
    PRIMARY KEY (organization_id, original, note)
);
-- A note that was rejected can be corrected, so that it names other documents.
CREATE INDEX document_debits_note ON document_debits (organization_id, note);

-- Those of notes that were numbered before. A body is a protobuf Document: every key of a document in it is field 1 of a message,
-- the bytes 0A 24 and 36 characters. Its own key is the first; the others are of its references. What only looks like a key
-- names no document. Of all organizations: the owner of the tables is isolated too otherwise.
ALTER TABLE documents NO FORCE ROW LEVEL SECURITY;
WITH RECURSIVE rest (organization_id, note, text) AS (
    SELECT organization_id, key, substring(body FROM position('\x0a24'::bytea IN body) + 2) FROM documents
    WHERE kind = 3 AND number <> '' AND position('\x0a24'::bytea IN body) > 0
    UNION ALL
    SELECT organization_id, note, substring(text FROM position('\x0a24'::bytea IN text) + 2) FROM rest
    WHERE position('\x0a24'::bytea IN text) > 0
), named (organization_id, note, original) AS (
    SELECT organization_id, note, encode(substring(text FROM 1 FOR 36), 'escape') FROM rest
)
INSERT INTO document_debits (organization_id, original, note)
SELECT DISTINCT named.organization_id, o.key, named.note
FROM named JOIN documents o ON o.organization_id = named.organization_id
    AND o.key = CASE WHEN named.original ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN named.original::uuid END
WHERE o.key <> named.note;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;

GRANT SELECT, INSERT, DELETE ON document_debits TO invoicing_application;
ALTER TABLE document_debits ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON document_debits
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
