-- Receivables and payments.

-- One row for each numbered invoice and debit note.
CREATE TABLE receivables (
    organization_id TEXT NOT NULL,
    -- The key of the document.
    document        BLOB NOT NULL,
    currency        TEXT NOT NULL,
    -- YYYY-MM-DD: the due date, or the issue date of a document without one.
    due_on          TEXT NOT NULL,
    -- Minor units.
    payable         INTEGER NOT NULL,
    paid            INTEGER NOT NULL,
    -- By credit notes.
    credited        INTEGER NOT NULL,
    PRIMARY KEY (organization_id, document)
) STRICT;
-- What is open, for ageing and for the filter of lists.
CREATE INDEX receivables_open ON receivables (organization_id, currency, due_on, payable, paid, credited, document)
    WHERE payable <> paid + credited;
CREATE INDEX receivables_due ON receivables (organization_id, due_on, payable, paid, credited, document);

-- Payments, and the entries that void them. Nothing of it is changed or removed.
CREATE TABLE document_payments (
    organization_id TEXT NOT NULL,
    document        BLOB NOT NULL,
    key             BLOB NOT NULL,
    -- The key of the payment that this entry voids.
    voids           BLOB,
    -- Minor units; negative if it voids.
    amount          INTEGER NOT NULL,
    recorded_at     INTEGER NOT NULL,
    -- invoicing.payments.v2.Payment.
    body            BLOB NOT NULL,
    PRIMARY KEY (organization_id, document, key)
) STRICT;
CREATE UNIQUE INDEX document_payments_voids ON document_payments (organization_id, document, voids) WHERE voids IS NOT NULL;

INSERT INTO receivables (organization_id, document, currency, due_on, payable, paid, credited)
SELECT d.organization_id, d.key, d.currency, coalesce(nullif(d.due_date, ''), d.issue_date), c.payable, 0, 0
FROM documents d JOIN document_contents c ON c.id = d.id
WHERE d.number <> '' AND d.kind IN (1, 3);
-- Of notes with one original. Those with several are allocated from now on.
UPDATE receivables SET credited = coalesce((
    SELECT sum(n.gross) FROM document_credits c JOIN documents n ON n.organization_id = c.organization_id AND n.key = c.note
    WHERE c.organization_id = receivables.organization_id AND c.original = receivables.document
        AND n.currency = receivables.currency
        AND (SELECT min(first.original) FROM document_credits first
             WHERE first.organization_id = c.organization_id AND first.note = c.note) = c.original
), 0);

-- Taxes of numbered documents per day, maintained when a document is numbered. An amount is high * 2^32 + low. Credit notes count
-- positive.
CREATE TABLE document_tax_sums (
    organization_id TEXT NOT NULL,
    issue_date      TEXT NOT NULL,
    kind            INTEGER NOT NULL,
    currency        TEXT NOT NULL,
    category        TEXT NOT NULL,
    -- Percent, without trailing zeros; empty: none.
    rate            TEXT NOT NULL,
    documents       INTEGER NOT NULL,
    taxable_high    INTEGER NOT NULL,
    taxable_low     INTEGER NOT NULL,
    tax_high        INTEGER NOT NULL,
    tax_low         INTEGER NOT NULL,
    PRIMARY KEY (organization_id, issue_date, kind, currency, category, rate)
) STRICT;
