-- How far a token reaches, that is the application it was given to, its scopes and audiences, is the same for most tokens of
-- an application, and was two thirds of each. It is written once now, and tokens say which. What was written once never
-- changes, so that whoever has read it may keep it; there is one row for each application and choice of scopes.
CREATE TABLE reaches (
    id           INTEGER PRIMARY KEY,
    client_id    TEXT NOT NULL,
    scope        TEXT NOT NULL,
    audiences    TEXT NOT NULL,
    carries_home BOOLEAN NOT NULL,
    UNIQUE (client_id, scope, audiences, carries_home)
);
INSERT INTO reaches (client_id, scope, audiences, carries_home)
SELECT DISTINCT client_id, scope, audiences, carries_home FROM access_tokens;

CREATE TRIGGER reaches_are_not_changed BEFORE UPDATE ON reaches
BEGIN
    SELECT RAISE(ABORT, 'how far tokens reach does not change');
END;
CREATE TRIGGER reaches_are_not_removed BEFORE DELETE ON reaches
BEGIN
    SELECT RAISE(ABORT, 'how far tokens reach does not change');
END;

CREATE TABLE reaching_access_tokens (
    number     INTEGER PRIMARY KEY,
    hash       BYTEA NOT NULL,
    -- Null for client_credentials.
    family     INTEGER,
    reach      INTEGER NOT NULL,
    subject    TEXT NOT NULL,
    actor      TEXT,
    issued_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
);
INSERT INTO reaching_access_tokens
SELECT a.number, a.hash, a.family, r.id, a.subject, a.actor, a.issued_at, a.expires_at, a.revoked_at
FROM access_tokens a
JOIN reaches r USING (client_id, scope, audiences, carries_home);
DROP TABLE access_tokens;
ALTER TABLE reaching_access_tokens RENAME TO access_tokens;

-- The numbers of tokens begin with the time (0013): those that have expired are found by them. Each token was a row of these
-- indexes too.
DROP INDEX refresh_tokens_expiry;

-- Most of the record is that a token was given out: whoever looks for that finds it by the time. Whoever looks for anything
-- else has an index that is a hundredth as large.
DROP INDEX audit_kind;
CREATE INDEX audit_kind ON audit (kind, at, id) WHERE kind <> 'token_issued';
