-- Every security event. The table only grows; a copy of the file is how it is archived.

CREATE TABLE audit (
    id              INTEGER PRIMARY KEY,
    at              BIGINT NOT NULL,
    kind            TEXT NOT NULL,
    subject         TEXT,
    actor           TEXT,
    organization_id TEXT,
    client_id       TEXT,
    address         TEXT,
    detail          TEXT NOT NULL
);
CREATE INDEX audit_time ON audit (at, id);
CREATE INDEX audit_kind ON audit (kind, at, id);
CREATE INDEX audit_subject ON audit (subject, at, id) WHERE subject IS NOT NULL;
CREATE INDEX audit_organization ON audit (organization_id, at, id) WHERE organization_id IS NOT NULL;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
-- REPLACE would remove an entry without asking the trigger above.
CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- A used refresh token that comes back again and again is recorded once.
ALTER TABLE refresh_tokens ADD COLUMN reused_at BIGINT;
