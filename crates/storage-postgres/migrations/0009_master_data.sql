-- Master data: the parties that an organization trades with and the items that it sells. Isolated as documents are (0005).

-- One row for each party (kind 1) and item (kind 2). All columns but the last use derive from the message in `body`.
CREATE TABLE master_records (
    organization_id   text COLLATE "C" NOT NULL,
    kind              integer NOT NULL,
    key               uuid NOT NULL,
    concurrency_stamp text COLLATE "C" NOT NULL,
    archived          boolean NOT NULL,
    -- Folded tax id of a party, or seller's code of an item. NULL: none, or shared with another record.
    identifier        text COLLATE "C",
    -- Folded words, each with a space before it; at most 1,000 bytes, because an index contains it.
    search_text       text COLLATE "C" NOT NULL,
    last_used_at      bigint NOT NULL,
    -- invoicing.parties.v2.Party or invoicing.items.v2.Item.
    body              bytea NOT NULL,
    PRIMARY KEY (organization_id, kind, key)
);
CREATE UNIQUE INDEX master_records_identifier ON master_records (organization_id, kind, identifier)
    WHERE identifier IS NOT NULL;
-- A search reads this index from the last use on and compares the words, so that it ends when a page is full.
CREATE INDEX master_records_last_use ON master_records (organization_id, kind, last_used_at, key)
    INCLUDE (archived, search_text);

-- The record as each write left it.
CREATE TABLE master_record_history (
    organization_id text COLLATE "C" NOT NULL,
    kind            integer NOT NULL,
    key             uuid NOT NULL,
    -- 1 for the first write, then ascending: a writer locks the record.
    revision        integer NOT NULL,
    action          text COLLATE "C" NOT NULL,
    body            bytea NOT NULL,
    PRIMARY KEY (organization_id, kind, key, revision)
);

GRANT SELECT, INSERT, UPDATE ON master_records TO invoicing_application;
-- Nothing of it is changed or removed.
GRANT SELECT, INSERT ON master_record_history TO invoicing_application;

ALTER TABLE master_records ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
ALTER TABLE master_record_history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON master_records
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
CREATE POLICY organization ON master_record_history
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
