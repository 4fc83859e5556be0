-- Plans: limits and entitlements of tenants.

CREATE TABLE plans (
    id                  TEXT NOT NULL PRIMARY KEY,
    concurrency_stamp   TEXT NOT NULL,
    name                TEXT NOT NULL,
    name_ar             TEXT NOT NULL,
    -- Both names, folded.
    search_text         TEXT NOT NULL,
    -- NULL: unlimited.
    monthly_documents   INTEGER,
    -- NULL: the default of the service.
    requests_per_minute INTEGER,
    -- NULL: unlimited.
    users               INTEGER,
    -- Of these lists NULL is every value, and an empty text is none.
    document_kinds      TEXT,
    languages           TEXT,
    authorities         TEXT,
    api_access          INTEGER NOT NULL
) STRICT;

-- A plan is cached with its tenants.
CREATE TRIGGER generation_plan_inserted AFTER INSERT ON plans
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_plan_updated AFTER UPDATE ON plans
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_plan_deleted AFTER DELETE ON plans
BEGIN UPDATE generation SET number = number + 1; END;

-- NULL: the limit of the plan, as for monthly_documents and requests_per_minute.
ALTER TABLE tenants ADD COLUMN users INTEGER;
-- NULL: no plan, which is every entitlement and no limit but the tenant's own.
ALTER TABLE tenants ADD COLUMN plan_id TEXT REFERENCES plans (id);
CREATE INDEX tenants_plan ON tenants (plan_id);
