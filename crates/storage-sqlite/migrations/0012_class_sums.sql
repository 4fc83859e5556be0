-- Sums of lists, maintained with every write beside the sums of days (decision 0156). Credit notes count negative here, as in lists.

-- By classes of gross amounts: sign, number of digits before the decimal point, first digit (decision 0155). The amounts of a day
-- lie together, so that documents that are written together change the same pages.
CREATE TABLE document_class_sums (
    organization_id TEXT NOT NULL,
    currency        TEXT NOT NULL,
    issue_date      TEXT NOT NULL,
    -- 0 has the amounts furthest below zero. Larger amounts have higher classes.
    class           INTEGER NOT NULL,
    status          INTEGER NOT NULL,
    kind            INTEGER NOT NULL,
    documents       INTEGER NOT NULL,
    net_high        INTEGER NOT NULL,
    net_low         INTEGER NOT NULL,
    tax_high        INTEGER NOT NULL,
    tax_low         INTEGER NOT NULL,
    gross_high      INTEGER NOT NULL,
    gross_low       INTEGER NOT NULL,
    PRIMARY KEY (organization_id, currency, issue_date, class, status, kind)
) STRICT, WITHOUT ROWID;

-- Of all dates and amounts.
CREATE TABLE document_totals (
    organization_id TEXT NOT NULL,
    currency        TEXT NOT NULL,
    status          INTEGER NOT NULL,
    kind            INTEGER NOT NULL,
    documents       INTEGER NOT NULL,
    net_high        INTEGER NOT NULL,
    net_low         INTEGER NOT NULL,
    tax_high        INTEGER NOT NULL,
    tax_low         INTEGER NOT NULL,
    gross_high      INTEGER NOT NULL,
    gross_low       INTEGER NOT NULL,
    PRIMARY KEY (organization_id, currency, status, kind)
) STRICT, WITHOUT ROWID;

-- The digits are text: the lowest amount has no absolute value. Amounts between -1 and 1 have the classes 135 and 136.
INSERT INTO document_class_sums (organization_id, currency, issue_date, class, status, kind, documents,
    net_high, net_low, tax_high, tax_low, gross_high, gross_low)
SELECT organization_id, currency, issue_date,
    CASE WHEN gross_sort_key < 0 THEN 135 - distance ELSE 136 + distance END AS class, status, kind, count(*),
    sum(sign * (net >> 32)), sum(sign * (net & 4294967295)), sum(sign * (tax >> 32)), sum(sign * (tax & 4294967295)),
    sum(sign * (gross >> 32)), sum(sign * (gross & 4294967295))
FROM (
    SELECT organization_id, currency, issue_date, gross_sort_key, status, kind, net, tax, gross,
        CASE kind WHEN 2 THEN -1 ELSE 1 END AS sign,
        max(0, 9 * (length(digits) - 5) + CAST(substr(digits, 1, 1) AS INTEGER)) AS distance
    FROM (SELECT *, ltrim(CAST(gross_sort_key AS TEXT), '-') AS digits FROM documents)
)
GROUP BY organization_id, currency, issue_date, class, status, kind;

INSERT INTO document_totals (organization_id, currency, status, kind, documents,
    net_high, net_low, tax_high, tax_low, gross_high, gross_low)
SELECT organization_id, currency, status, kind, sum(documents),
    sum(net_high), sum(net_low), sum(tax_high), sum(tax_low), sum(gross_high), sum(gross_low)
FROM document_class_sums
GROUP BY organization_id, currency, status, kind;

-- With what sums are made of, so that documents of a class that a range of amounts cuts are read from the index alone.
DROP INDEX documents_gross;
CREATE INDEX documents_gross ON documents (organization_id, gross_sort_key, key, issue_date, currency, status, kind, net, tax,
    gross);
