-- Documents: rows for lists, sums, numbers, credit notes, history.
--
-- Every table belongs to organizations and is isolated twice: every statement names the organization, and row-level security
-- compares it with the setting `app.organization` of the transaction (decision 0103). FORCE: also for the owner of the tables.
-- There are no foreign keys to `organizations`: every insert would lock the row of its organization.

-- One row for each document. The columns that lists filter, sort and sum by derive from `body` and are written together with
-- it.
CREATE TABLE documents (
    organization_id   text COLLATE "C" NOT NULL,
    key               uuid NOT NULL,
    concurrency_stamp text COLLATE "C" NOT NULL,
    -- Numbers of the enums Status and Kind of invoicing.documents.v2.
    status            integer NOT NULL,
    kind              integer NOT NULL,
    -- Empty: not numbered yet.
    number            text COLLATE "C" NOT NULL,
    -- The number with its sequence zero-padded, so that text order is number order.
    number_sort_key   text COLLATE "C" NOT NULL,
    -- YYYY-MM-DD.
    issue_date        text COLLATE "C" NOT NULL,
    -- YYYY-MM-DD, or empty.
    due_date          text COLLATE "C" NOT NULL,
    currency          text COLLATE "C" NOT NULL,
    net               bigint NOT NULL,
    tax               bigint NOT NULL,
    gross             bigint NOT NULL,
    -- The gross amount in ten-thousandths, comparable across currencies.
    gross_sort_key    bigint NOT NULL,
    buyer_sort_key    text COLLATE "C" NOT NULL,
    buyer_text_id     uuid NOT NULL,
    updated_at        bigint NOT NULL,
    -- YYYY-MM-DD, or empty.
    supply_date       text COLLATE "C" NOT NULL,
    payable           bigint NOT NULL,
    note              text COLLATE "C" NOT NULL,
    -- invoicing.documents.v2.Party; NULL: the document has no buyer.
    buyer             bytea,
    -- invoicing.documents.v2.Event; NULL: not happened.
    created           bytea,
    updated           bytea,
    issued            bytea,
    frozen            bytea,
    -- invoicing.documents.v2.Document. The last column: a row of a list is read without it.
    body              bytea NOT NULL,
    PRIMARY KEY (organization_id, key)
);
-- One index for each sort field, with the key as tie-breaker. Those of the fields that filters have ranges of contain what is
-- summed, so that the sums of a range are read from them alone.
CREATE INDEX documents_issue_date ON documents (organization_id, issue_date, key);
CREATE INDEX documents_due_date ON documents (organization_id, due_date, key)
    INCLUDE (currency, issue_date, status, kind, net, tax, gross, gross_sort_key);
CREATE INDEX documents_number ON documents (organization_id, number_sort_key, key);
CREATE INDEX documents_buyer ON documents (organization_id, buyer_sort_key, key);
CREATE INDEX documents_gross ON documents (organization_id, gross_sort_key, key)
    INCLUDE (currency, issue_date, due_date, status, kind, net, tax, gross);
CREATE INDEX documents_status ON documents (organization_id, status, key);
CREATE INDEX documents_updated ON documents (organization_id, updated_at, key);
-- All columns that filters and sums use, and most that lists are sorted by: the documents of a buyer are found and sorted in it,
-- and whatever the filter, its sums are one scan of it.
CREATE INDEX documents_summary ON documents (organization_id, buyer_text_id)
    INCLUDE (key, currency, number, issue_date, due_date, status, kind, net, tax, gross, gross_sort_key, updated_at);

-- The different texts that a search for a buyer compares. They stay when their documents are gone.
CREATE TABLE buyer_texts (
    organization_id text COLLATE "C" NOT NULL,
    -- The first 16 bytes of the SHA-256 hash of the text.
    id              uuid NOT NULL,
    text            text COLLATE "C" NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- Counts and sums per day, maintained with every write, so that the totals of an unfiltered list cost the same for any number
-- of documents. Writers of one organization would wait for each other at the row of a day, so it has 16 slots, to be added
-- up: a document is counted in the slot of its key, imported ones in slot 0. A single slot can be negative. Credit notes
-- count positive.
CREATE TABLE document_sums (
    organization_id text COLLATE "C" NOT NULL,
    issue_date      text COLLATE "C" NOT NULL,
    status          integer NOT NULL,
    kind            integer NOT NULL,
    currency        text COLLATE "C" NOT NULL,
    slot            smallint NOT NULL,
    documents       bigint NOT NULL,
    net             numeric NOT NULL,
    tax             numeric NOT NULL,
    gross           numeric NOT NULL,
    PRIMARY KEY (organization_id, issue_date, status, kind, currency, slot)
-- Room for new versions of a row beside the old one: no indexed column changes.
) WITH (fillfactor = 70);

-- The last number of each series. Year 0 of credit notes is no series: whoever numbers a credit note locks that row, since two
-- notes of one document can be in series of different years. It counts them.
CREATE TABLE document_series (
    organization_id text COLLATE "C" NOT NULL,
    kind            integer NOT NULL,
    year            smallint NOT NULL,
    last_number     bigint NOT NULL,
    PRIMARY KEY (organization_id, kind, year)
) WITH (fillfactor = 70);

-- Documents created per month (YYYY-MM), for the limit of the plan. To be added up: an organization with a limit counts in slot
-- 0, one without in 16 slots.
CREATE TABLE document_months (
    organization_id text COLLATE "C" NOT NULL,
    month           text COLLATE "C" NOT NULL,
    slot            smallint NOT NULL,
    created         bigint NOT NULL,
    PRIMARY KEY (organization_id, month, slot)
) WITH (fillfactor = 70);

-- Which documents (by key) the numbered credit notes correct. Several notes can correct one document; their total is checked
-- together. The rows of a document that does not exist here are kept: its notes cannot be checked.
CREATE TABLE document_credits (
    organization_id text COLLATE "C" NOT NULL,
    original        uuid NOT NULL,
    note            uuid NOT NULL,
    PRIMARY KEY (organization_id, original, note)
);
CREATE INDEX document_credits_note ON document_credits (organization_id, note);

-- The document as each write left it. Kept when the document is deleted.
CREATE TABLE document_history (
    organization_id text COLLATE "C" NOT NULL,
    key             uuid NOT NULL,
    -- 1 for the first write of a document with this key, then ascending: times of several processes may not.
    revision        integer NOT NULL,
    at              bigint NOT NULL,
    -- Random, made before the transaction: a repetition recognises by it what an attempt before has written.
    id              bigint NOT NULL,
    action          text COLLATE "C" NOT NULL,
    subject         text COLLATE "C" NOT NULL,
    subject_name    text COLLATE "C" NOT NULL,
    -- invoicing.documents.v2.Document.
    body            bytea NOT NULL,
    PRIMARY KEY (organization_id, key, revision, at, id)
) PARTITION BY RANGE (at);
INSERT INTO partitioned_tables (name, days, shift, kept_days) VALUES ('document_history', 365, 0, NULL);

GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO invoicing_application;
GRANT SELECT, INSERT, UPDATE ON document_sums, document_series, document_months TO invoicing_application;
-- Nothing of these is changed or removed. Partitions of the history have no grants: they are reached through it only.
GRANT SELECT, INSERT ON buyer_texts, document_credits, document_history TO invoicing_application;

ALTER TABLE documents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE buyer_texts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_sums ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_series ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_months ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_credits ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;

-- Without the setting, or with an empty one, no row is of the organization.
CREATE POLICY organization ON documents
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON buyer_texts
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_sums
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_series
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_months
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_credits
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_history
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
