-- Tenants that are changed, disabled and enabled, and what was changed (decision 0114).

ALTER TABLE tenants ADD COLUMN concurrency_stamp text COLLATE "C" NOT NULL DEFAULT 'initial';
-- NULL: enabled.
ALTER TABLE tenants ADD COLUMN disabled_at bigint;

-- A row for each change of a tenant. `revision` is 1 for the first, then ascends by one.
CREATE TABLE tenant_history (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
    revision        bigint NOT NULL,
    at              bigint NOT NULL,
    actor           text COLLATE "C" NOT NULL,
    action          text COLLATE "C" NOT NULL,
    -- JSON: the fields with their values before and after.
    changes         text COLLATE "C" NOT NULL,
    PRIMARY KEY (organization_id, revision)
);
GRANT SELECT, INSERT ON tenant_history TO invoicing_application;
ALTER TABLE tenant_history ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON tenant_history
    USING (organization_id = current_setting('app.organization', true))
    WITH CHECK (organization_id = current_setting('app.organization', true));
