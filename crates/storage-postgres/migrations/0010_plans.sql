-- Plans: limits and entitlements of tenants.

CREATE TABLE plans (
    id                  text COLLATE "C" NOT NULL PRIMARY KEY,
    concurrency_stamp   text COLLATE "C" NOT NULL,
    name                text COLLATE "C" NOT NULL,
    name_ar             text COLLATE "C" NOT NULL,
    -- Both names, folded.
    search_text         text COLLATE "C" NOT NULL,
    -- NULL: unlimited.
    monthly_documents   bigint,
    -- NULL: the default of the service.
    requests_per_minute bigint,
    -- NULL: unlimited.
    users               bigint,
    -- Of these lists NULL is every value, and an empty text is none.
    document_kinds      text COLLATE "C",
    languages           text COLLATE "C",
    authorities         text COLLATE "C",
    api_access          boolean NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON plans TO invoicing_application;

-- NULL: the limit of the plan, as for monthly_documents and requests_per_minute.
ALTER TABLE tenants ADD COLUMN users bigint;
-- NULL: no plan, which is every entitlement and no limit but the tenant's own.
ALTER TABLE tenants ADD COLUMN plan_id text COLLATE "C" REFERENCES plans (id);
CREATE INDEX tenants_plan ON tenants (plan_id);
