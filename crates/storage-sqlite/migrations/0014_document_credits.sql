-- Which documents the numbered credit notes correct, by keys: several notes may correct one document, and are held against it
-- together. Keys of documents that are not here stay, because nothing can be said of their notes.
CREATE TABLE document_credits (
    organization_id TEXT NOT NULL,
    original        BYTEA NOT NULL,
    note            BYTEA NOT NULL,
    PRIMARY KEY (organization_id, original, note)
);
CREATE INDEX document_credits_note ON document_credits (organization_id, note);

-- Numbered credit notes of an earlier version. What they correct stands in their bodies, which are read when the database is
-- opened next.
CREATE TABLE document_credits_unread (
    id BIGINT PRIMARY KEY
);
INSERT INTO document_credits_unread (id) SELECT id FROM documents WHERE kind = 2 AND number <> '';
