-- Documents. The body is the truth: a whole invoicing.documents.v2.Document. The columns of `documents` are what lists
-- filter, sort and sum by, and are written together with it. Amounts are minor units of the row's currency.
-- Keys are UUIDs in 16 bytes: they stand in every index, and a million rows have eight of them.

-- The texts that buyers are searched by, each once: far fewer than documents.
CREATE TABLE buyer_texts (
    id              INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    text            TEXT NOT NULL,
    UNIQUE (organization_id, text)
);

CREATE TABLE documents (
    id              INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    key             BYTEA NOT NULL,
    stamp           TEXT NOT NULL,
    status          SMALLINT NOT NULL,
    kind            SMALLINT NOT NULL,
    number          TEXT NOT NULL,
    number_order    TEXT NOT NULL,
    issue_date      TEXT NOT NULL,
    due_date        TEXT NOT NULL,
    currency        TEXT NOT NULL,
    net             BIGINT NOT NULL,
    tax             BIGINT NOT NULL,
    gross           BIGINT NOT NULL,
    gross_order     BIGINT NOT NULL,
    buyer_order     TEXT NOT NULL,
    buyer_text      BIGINT NOT NULL REFERENCES buyer_texts (id),
    updated_at      BIGINT NOT NULL,
    UNIQUE (organization_id, key)
);
-- One for each sort, with the key that breaks ties.
CREATE INDEX documents_issue_date ON documents (organization_id, issue_date, key);
CREATE INDEX documents_due_date ON documents (organization_id, due_date, key);
CREATE INDEX documents_number ON documents (organization_id, number_order, key);
CREATE INDEX documents_buyer ON documents (organization_id, buyer_order, key);
CREATE INDEX documents_gross ON documents (organization_id, gross_order, key);
CREATE INDEX documents_status ON documents (organization_id, status, key);
CREATE INDEX documents_updated ON documents (organization_id, updated_at, key);
-- All that filters ask and sums add up: whatever the filter, the sums of a million are one walk over this index.
CREATE INDEX documents_summary ON documents (organization_id, currency, buyer_text, number, issue_date, due_date, status,
    kind, net, tax, gross, gross_order);

CREATE TABLE document_bodies (
    id   INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    body BYTEA NOT NULL
);

-- Counts and sums by day, kept with every write, so that a list of a million knows its totals at once. An amount is
-- high × 2^32 + low; both halves are summed apart, so that no sum overflows. Credit notes are positive here too.
CREATE TABLE document_sums (
    organization_id TEXT NOT NULL,
    issue_date      TEXT NOT NULL,
    status          SMALLINT NOT NULL,
    kind            SMALLINT NOT NULL,
    currency        TEXT NOT NULL,
    documents       BIGINT NOT NULL,
    net_high        BIGINT NOT NULL,
    net_low         BIGINT NOT NULL,
    tax_high        BIGINT NOT NULL,
    tax_low         BIGINT NOT NULL,
    gross_high      BIGINT NOT NULL,
    gross_low       BIGINT NOT NULL,
    PRIMARY KEY (organization_id, issue_date, status, kind, currency)
);

-- The last number given out in each series.
CREATE TABLE document_series (
    organization_id TEXT NOT NULL,
    kind            SMALLINT NOT NULL,
    year            SMALLINT NOT NULL,
    last            BIGINT NOT NULL,
    PRIMARY KEY (organization_id, kind, year)
);

-- Documents created in a month, for the plan's limit.
CREATE TABLE document_months (
    organization_id TEXT NOT NULL,
    month           TEXT NOT NULL,
    created         BIGINT NOT NULL,
    PRIMARY KEY (organization_id, month)
);

-- What each write left behind. It outlives the document.
CREATE TABLE document_history (
    id              INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    key             BYTEA NOT NULL,
    action          TEXT NOT NULL,
    at              BIGINT NOT NULL,
    subject         TEXT NOT NULL,
    subject_name    TEXT NOT NULL,
    body            BYTEA NOT NULL
);
CREATE INDEX document_history_key ON document_history (organization_id, key, id);
