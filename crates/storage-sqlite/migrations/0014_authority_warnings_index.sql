-- A filter by the remarks of the tax authority (decision 0158). A document without remarks costs the index nothing.
CREATE INDEX document_submissions_warnings ON document_submissions (organization_id, document_key)
    WHERE has_warnings AND superseded_at IS NULL;
