-- Attachments of documents: their contents. What is known of each stands in the document.

-- In parts of 64 KiB, so that a page of a move to the other engine has a bounded size.
CREATE TABLE document_attachments (
    organization_id text COLLATE "C" NOT NULL,
    document_key    uuid NOT NULL,
    id              uuid NOT NULL,
    -- 1 for the first.
    part            integer NOT NULL,
    content         bytea NOT NULL,
    PRIMARY KEY (organization_id, document_key, id, part)
);
-- The types that are allowed are compressed already, or small.
ALTER TABLE document_attachments ALTER COLUMN content SET STORAGE EXTERNAL;
GRANT SELECT, INSERT, DELETE ON document_attachments TO invoicing_application;
ALTER TABLE document_attachments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON document_attachments
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
