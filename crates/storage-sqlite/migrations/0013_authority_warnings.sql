-- Whether the tax authority accepted a submission with remarks, for lists, which read no document (decision 0158).
ALTER TABLE document_submissions ADD COLUMN has_warnings INTEGER NOT NULL DEFAULT 0;

-- Those that were answered before, read as the adapter reads them: the status 202, or remarks in the body.
UPDATE document_submissions SET has_warnings = 1
WHERE state IN (3, 4, 5) AND EXISTS (
    SELECT 1 FROM document_submission_attempts a
    WHERE a.organization_id = document_submissions.organization_id AND a.submission = document_submissions.id
        AND a.state IN (3, 4, 5)
        AND CASE WHEN a.http_status = 202 THEN TRUE
            WHEN json_valid(CAST(a.answer AS TEXT)) THEN json_array_length(CAST(a.answer AS TEXT), '$.warnings') > 0
            ELSE FALSE END
);
