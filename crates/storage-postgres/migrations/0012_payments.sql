-- Receivables and payments. Isolated as documents are (0005).

-- One row for each numbered invoice and debit note.
CREATE TABLE receivables (
    organization_id text COLLATE "C" NOT NULL,
    -- The key of the document.
    document        uuid NOT NULL,
    currency        text COLLATE "C" NOT NULL,
    -- YYYY-MM-DD: the due date, or the issue date of a document without one.
    due_on          text COLLATE "C" NOT NULL,
    -- Minor units.
    payable         bigint NOT NULL,
    paid            bigint NOT NULL,
    -- By credit notes.
    credited        bigint NOT NULL,
    PRIMARY KEY (organization_id, document)
);
-- What is open, for ageing and for the filter of lists.
CREATE INDEX receivables_open ON receivables (organization_id, currency, due_on) INCLUDE (payable, paid, credited, document)
    WHERE payable <> paid + credited;

-- Payments, and the entries that void them.
CREATE TABLE document_payments (
    organization_id text COLLATE "C" NOT NULL,
    document        uuid NOT NULL,
    key             uuid NOT NULL,
    -- The key of the payment that this entry voids.
    voids           uuid,
    -- Minor units; negative if it voids.
    amount          bigint NOT NULL,
    recorded_at     bigint NOT NULL,
    -- invoicing.payments.v2.Payment.
    body            bytea NOT NULL,
    PRIMARY KEY (organization_id, document, key)
);
CREATE UNIQUE INDEX document_payments_voids ON document_payments (organization_id, document, voids) WHERE voids IS NOT NULL;

-- Of all organizations: the owner of the tables is isolated too otherwise.
ALTER TABLE documents NO FORCE ROW LEVEL SECURITY;
ALTER TABLE document_credits NO FORCE ROW LEVEL SECURITY;
INSERT INTO receivables (organization_id, document, currency, due_on, payable, paid, credited)
SELECT organization_id, key, currency, coalesce(nullif(due_date, ''), issue_date), payable, 0, 0
FROM documents WHERE number <> '' AND kind IN (1, 3);
-- A note with several originals is given to the first.
UPDATE receivables SET credited = note.gross
FROM (SELECT c.organization_id, c.original, n.currency, sum(n.gross)::bigint AS gross
      FROM (SELECT organization_id, note, min(original::text)::uuid AS original FROM document_credits
            GROUP BY organization_id, note) AS c
          JOIN documents n ON n.organization_id = c.organization_id AND n.key = c.note
      GROUP BY c.organization_id, c.original, n.currency) AS note
WHERE note.organization_id = receivables.organization_id AND note.original = receivables.document
    AND note.currency = receivables.currency;
ALTER TABLE documents FORCE ROW LEVEL SECURITY;
ALTER TABLE document_credits FORCE ROW LEVEL SECURITY;

-- Taxes of numbered documents per day, maintained when a document is numbered. Whoever numbers a document has locked its series, so
-- that no writers wait for each other here. Credit notes count positive.
CREATE TABLE document_tax_sums (
    organization_id text COLLATE "C" NOT NULL,
    issue_date      text COLLATE "C" NOT NULL,
    kind            integer NOT NULL,
    currency        text COLLATE "C" NOT NULL,
    category        text COLLATE "C" NOT NULL,
    -- Percent, without trailing zeros; empty: none.
    rate            text COLLATE "C" NOT NULL,
    documents       bigint NOT NULL,
    taxable         numeric NOT NULL,
    tax             numeric NOT NULL,
    PRIMARY KEY (organization_id, issue_date, kind, currency, category, rate)
) WITH (fillfactor = 70);

GRANT SELECT, INSERT, UPDATE ON receivables, document_tax_sums TO invoicing_application;
-- Nothing of it is changed or removed.
GRANT SELECT, INSERT ON document_payments TO invoicing_application;

ALTER TABLE receivables ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_tax_sums ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE document_payments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON receivables
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_payments
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON document_tax_sums
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
