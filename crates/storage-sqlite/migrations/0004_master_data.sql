-- Master data: the parties that an organization trades with and the items that it sells.

-- One row for each party (kind 1) and item (kind 2). All columns but the last use derive from the message in `body`.
CREATE TABLE master_records (
    organization_id   TEXT NOT NULL,
    kind              INTEGER NOT NULL,
    key               BLOB NOT NULL,
    concurrency_stamp TEXT NOT NULL,
    archived          INTEGER NOT NULL,
    -- Folded tax id of a party, or seller's code of an item. NULL: none, or shared with another record.
    identifier        TEXT,
    -- Folded words, each with a space before it.
    search_text       TEXT NOT NULL,
    last_used_at      INTEGER NOT NULL,
    -- invoicing.parties.v2.Party or invoicing.items.v2.Item.
    body              BLOB NOT NULL,
    PRIMARY KEY (organization_id, kind, key)
) STRICT;
CREATE UNIQUE INDEX master_records_identifier ON master_records (organization_id, kind, identifier)
    WHERE identifier IS NOT NULL;
-- A search reads this index from the last use on and compares the words, so that it ends when a page is full.
CREATE INDEX master_records_last_use ON master_records (organization_id, kind, last_used_at, key, archived, search_text);

-- The record as each write left it.
CREATE TABLE master_record_history (
    organization_id TEXT NOT NULL,
    kind            INTEGER NOT NULL,
    key             BLOB NOT NULL,
    -- 1 for the first write, then ascending.
    revision        INTEGER NOT NULL,
    action          TEXT NOT NULL,
    body            BLOB NOT NULL,
    PRIMARY KEY (organization_id, kind, key, revision)
) STRICT;
