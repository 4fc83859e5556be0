-- Clearance: the tax authorities of tenants, the documents that are sent to them, and the queue of those without an answer.

-- The tax authority of a tenant. A tenant without a row here issues documents without one.
CREATE TABLE authorities (
    organization_id   TEXT NOT NULL PRIMARY KEY REFERENCES tenants (organization_id),
    adapter           TEXT NOT NULL,
    endpoint          TEXT NOT NULL,
    -- Encrypted with a key that is not in the database. NULL: the authority needs none.
    credentials       BLOB,
    -- clearance or reporting.
    mode              TEXT NOT NULL,
    -- Names of the enum Kind of invoicing.documents.v2.
    kinds             TEXT NOT NULL,
    enabled           INTEGER NOT NULL,
    concurrency_stamp TEXT NOT NULL,
    updated_at        INTEGER NOT NULL
) STRICT;
INSERT INTO authorities (organization_id, adapter, endpoint, mode, kinds, enabled, concurrency_stamp, updated_at)
SELECT organization_id, 'http', authority_endpoint, 'clearance', 'INVOICE CREDIT_NOTE DEBIT_NOTE', 1, organization_id, 0
FROM tenants WHERE authority_endpoint IS NOT NULL;

-- A document as it is sent to the authority, unchanged in every attempt. There is one for each time that it was issued.
CREATE TABLE document_submissions (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    id              BLOB NOT NULL,
    document_key    BLOB NOT NULL,
    -- The concurrency stamp of the state that was issued.
    issued_from     TEXT NOT NULL,
    number          TEXT NOT NULL,
    content         BLOB NOT NULL,
    -- SHA-256 of the content.
    hash            BLOB NOT NULL,
    -- Number of the enum AuthorityState of invoicing.documents.v2.
    state           INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    -- NULL: no answer yet.
    answered_at     INTEGER,
    -- When the document was issued again. NULL: the submission is the latest.
    superseded_at   INTEGER,
    PRIMARY KEY (organization_id, id)
) STRICT;
CREATE INDEX document_submissions_document ON document_submissions (organization_id, document_key, created_at);
-- A filter by the state of the authority.
CREATE INDEX document_submissions_state ON document_submissions (organization_id, state, document_key)
    WHERE superseded_at IS NULL;

-- What each attempt to send a submission led to.
CREATE TABLE document_submission_attempts (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    submission      BLOB NOT NULL,
    id              BLOB NOT NULL,
    started_at      INTEGER NOT NULL,
    ended_at        INTEGER NOT NULL,
    -- NULL: there was no response.
    http_status     INTEGER,
    state           INTEGER NOT NULL,
    problem         TEXT NOT NULL,
    answer          BLOB NOT NULL,
    PRIMARY KEY (organization_id, submission, id)
) STRICT;

-- The submissions that have no answer. It holds nothing of the documents, because a process looks for work of all organizations.
CREATE TABLE clearance_queue (
    organization_id TEXT NOT NULL,
    submission      BLOB NOT NULL,
    due_at          INTEGER NOT NULL,
    -- Attempts without an answer.
    failures        INTEGER NOT NULL,
    -- Who sends it until `claimed_until`.
    holder          BLOB NOT NULL,
    claimed_until   INTEGER NOT NULL,
    PRIMARY KEY (organization_id, submission)
) STRICT;
CREATE INDEX clearance_queue_due ON clearance_queue (due_at);

-- What a note took off the receivable of the original, in minor units: it is given back when the note is rejected. Notes that are
-- older are never rejected.
ALTER TABLE document_credits ADD COLUMN taken_off INTEGER NOT NULL DEFAULT 0;
