-- Clearance: the tax authorities of tenants, the documents that are sent to them, and the queue of those without an answer.

-- The tax authority of a tenant. A tenant without a row here issues documents without one.
CREATE TABLE authorities (
    organization_id   text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES tenants (organization_id),
    adapter           text COLLATE "C" NOT NULL,
    endpoint          text COLLATE "C" NOT NULL,
    -- Encrypted with a key that is not in the database. NULL: the authority needs none.
    credentials       bytea,
    -- clearance or reporting.
    mode              text COLLATE "C" NOT NULL,
    -- Names of the enum Kind of invoicing.documents.v2.
    kinds             text COLLATE "C" NOT NULL,
    enabled           boolean NOT NULL,
    concurrency_stamp text COLLATE "C" NOT NULL,
    updated_at        bigint NOT NULL
);
INSERT INTO authorities (organization_id, adapter, endpoint, mode, kinds, enabled, concurrency_stamp, updated_at)
SELECT organization_id, 'http', authority_endpoint, 'clearance', 'INVOICE CREDIT_NOTE DEBIT_NOTE', TRUE, organization_id, 0
FROM tenants WHERE authority_endpoint IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON authorities TO invoicing_application;

-- A document as it is sent to the authority, unchanged in every attempt. There is one for each time that it was issued.
CREATE TABLE document_submissions (
    organization_id text COLLATE "C" NOT NULL,
    id              uuid NOT NULL,
    document_key    uuid NOT NULL,
    -- The concurrency stamp of the state that was issued.
    issued_from     text COLLATE "C" NOT NULL,
    number          text COLLATE "C" NOT NULL,
    content         bytea NOT NULL,
    -- SHA-256 of the content.
    hash            bytea NOT NULL,
    -- Number of the enum AuthorityState of invoicing.documents.v2.
    state           integer NOT NULL,
    created_at      bigint NOT NULL,
    -- NULL: no answer yet.
    answered_at     bigint,
    -- When the document was issued again. NULL: the submission is the latest.
    superseded_at   bigint,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX document_submissions_document ON document_submissions (organization_id, document_key, created_at);
-- A filter by the state of the authority.
CREATE INDEX document_submissions_state ON document_submissions (organization_id, state, document_key)
    WHERE superseded_at IS NULL;

-- What each attempt to send a submission led to.
CREATE TABLE document_submission_attempts (
    organization_id text COLLATE "C" NOT NULL,
    submission      uuid NOT NULL,
    -- Random, made before the transaction: a repetition recognises by it what an attempt before has written.
    id              uuid NOT NULL,
    started_at      bigint NOT NULL,
    ended_at        bigint NOT NULL,
    -- NULL: there was no response.
    http_status     integer,
    state           integer NOT NULL,
    problem         text COLLATE "C" NOT NULL,
    answer          bytea NOT NULL,
    PRIMARY KEY (organization_id, submission, id)
);

-- The submissions that have no answer. It holds nothing of the documents and has no row-level security, because a process looks
-- for work of all organizations (decision 0126).
CREATE TABLE clearance_queue (
    organization_id text COLLATE "C" NOT NULL,
    submission      uuid NOT NULL,
    due_at          bigint NOT NULL,
    -- Attempts without an answer.
    failures        integer NOT NULL,
    -- Who sends it until `claimed_until`.
    holder          uuid NOT NULL,
    claimed_until   bigint NOT NULL,
    PRIMARY KEY (organization_id, submission)
) WITH (fillfactor = 70);
CREATE INDEX clearance_queue_due ON clearance_queue (due_at);

-- What a note took off the receivable of the original, in minor units: it is given back when the note is rejected. Notes that are
-- older are never rejected.
ALTER TABLE document_credits ADD COLUMN taken_off bigint NOT NULL DEFAULT 0;

GRANT SELECT, INSERT, UPDATE ON document_submissions TO invoicing_application;
GRANT SELECT, INSERT ON document_submission_attempts TO invoicing_application;
GRANT SELECT, INSERT, UPDATE, DELETE ON clearance_queue TO invoicing_application;
-- A note that was rejected can be corrected, so that it corrects other documents.
GRANT UPDATE, DELETE ON document_credits TO invoicing_application;

ALTER TABLE document_submissions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_submission_attempts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON document_submissions
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_submission_attempts
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
