-- Attachments of documents: their contents. What is known of each stands in the document.

-- In parts of 64 KiB, so that a page of a move to the other engine has a bounded size.
CREATE TABLE document_attachments (
    organization_id TEXT NOT NULL,
    document_key    BLOB NOT NULL,
    id              BLOB NOT NULL,
    -- 1 for the first.
    part            INTEGER NOT NULL,
    content         BLOB NOT NULL,
    PRIMARY KEY (organization_id, document_key, id, part)
) STRICT;
