-- Whether the tax authority accepted a submission with remarks, for lists, which read no document (decision 0158).
ALTER TABLE document_submissions ADD COLUMN has_warnings boolean NOT NULL DEFAULT FALSE;

-- Those that were answered before, read as the adapter reads them: the status 202, or remarks in the body, which is JSON where it names
-- a decision. Of all organizations: the owner of the tables is isolated too otherwise.
ALTER TABLE document_submissions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document_submission_attempts NO FORCE ROW LEVEL SECURITY;
UPDATE document_submissions s SET has_warnings = TRUE
WHERE s.state IN (3, 4, 5) AND EXISTS (
    SELECT 1 FROM document_submission_attempts a
    WHERE a.organization_id = s.organization_id AND a.submission = s.id AND a.state IN (3, 4, 5)
        AND CASE WHEN a.http_status = 202 THEN TRUE
            ELSE coalesce(json_array_length(convert_from(a.answer, 'UTF8')::json -> 'warnings'), 0) > 0 END
);
ALTER TABLE document_submission_attempts FORCE ROW LEVEL SECURITY;
ALTER TABLE document_submissions FORCE ROW LEVEL SECURITY;
