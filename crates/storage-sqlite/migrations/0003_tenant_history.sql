-- Tenants that are changed, disabled and enabled, and what was changed (decision 0114).

ALTER TABLE tenants ADD COLUMN concurrency_stamp TEXT NOT NULL DEFAULT 'initial';
-- NULL: enabled.
ALTER TABLE tenants ADD COLUMN disabled_at INTEGER;

-- A row for each change of a tenant. `revision` is 1 for the first, then ascends by one.
CREATE TABLE tenant_history (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    revision        INTEGER NOT NULL,
    at              INTEGER NOT NULL,
    actor           TEXT NOT NULL,
    action          TEXT NOT NULL,
    -- JSON: the fields with their values before and after.
    changes         TEXT NOT NULL,
    PRIMARY KEY (organization_id, revision)
) STRICT;
