-- What is given out stands in the order in which it was given out: tokens and codes are found by a number that begins with
-- the time, and what is written together is a few pages next to each other. Those of earlier versions stay where their hash
-- put them.
--
-- Families have numbers too. Those that were revoked are few, and stand in a table of their own: to look there when a token is
-- looked up costs next to nothing. To write it into each of its tokens (0012) took an index by family, a page of its own for
-- every token that was given out.
--
-- Tokens refer to nothing by foreign keys: each was a search more, and nothing they refer to is ever removed before them
-- (families outlive their tokens, see the purge; applications and subjects stay).
DROP TRIGGER family_revoked_with_its_tokens;

CREATE TABLE numbered_families (
    id               INTEGER PRIMARY KEY,
    client_id        TEXT NOT NULL REFERENCES applications (client_id),
    subject          TEXT NOT NULL REFERENCES subjects (id),
    session_id       TEXT NOT NULL,
    scope            TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    revoked_at       BIGINT
);
INSERT INTO numbered_families
SELECT rowid, client_id, subject, session_id, scope, authenticated_at, expires_at, revoked_at FROM families;

CREATE TABLE revoked_families (
    family INTEGER PRIMARY KEY REFERENCES numbered_families (id) ON DELETE CASCADE
);
INSERT INTO revoked_families SELECT id FROM numbered_families WHERE revoked_at IS NOT NULL;

CREATE TABLE numbered_codes (
    number         INTEGER PRIMARY KEY,
    hash           BYTEA NOT NULL,
    family         INTEGER NOT NULL REFERENCES numbered_families (id) ON DELETE CASCADE,
    redirect_uri   TEXT NOT NULL,
    code_challenge TEXT,
    nonce          TEXT,
    expires_at     BIGINT NOT NULL,
    used_at        BIGINT
);
INSERT INTO numbered_codes
SELECT
    (instr('123456789ABCDEF', substr(hex(c.hash), 1, 1)) << 60) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 2, 1)) << 56) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 3, 1)) << 52) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 4, 1)) << 48) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 5, 1)) << 44) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 6, 1)) << 40) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 7, 1)) << 36) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 8, 1)) << 32) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 9, 1)) << 28) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 10, 1)) << 24) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 11, 1)) << 20) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 12, 1)) << 16) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 13, 1)) << 12) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 14, 1)) << 8) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 15, 1)) << 4) |
    (instr('123456789ABCDEF', substr(hex(c.hash), 16, 1)) << 0),
    c.hash, f.rowid, c.redirect_uri, c.code_challenge, c.nonce, c.expires_at, c.used_at
FROM authorization_codes c JOIN families f ON f.id = c.family;

CREATE TABLE numbered_refresh_tokens (
    number     INTEGER PRIMARY KEY,
    hash       BYTEA NOT NULL,
    family     INTEGER NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT,
    reused_at  BIGINT
);
INSERT INTO numbered_refresh_tokens
SELECT
    (instr('123456789ABCDEF', substr(hex(r.hash), 1, 1)) << 60) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 2, 1)) << 56) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 3, 1)) << 52) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 4, 1)) << 48) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 5, 1)) << 44) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 6, 1)) << 40) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 7, 1)) << 36) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 8, 1)) << 32) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 9, 1)) << 28) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 10, 1)) << 24) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 11, 1)) << 20) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 12, 1)) << 16) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 13, 1)) << 12) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 14, 1)) << 8) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 15, 1)) << 4) |
    (instr('123456789ABCDEF', substr(hex(r.hash), 16, 1)) << 0),
    r.hash, f.rowid, r.expires_at, r.used_at, r.reused_at
FROM refresh_tokens r JOIN families f ON f.id = r.family;

CREATE TABLE numbered_access_tokens (
    number       INTEGER PRIMARY KEY,
    hash         BYTEA NOT NULL,
    -- Null for client_credentials.
    family       INTEGER,
    client_id    TEXT NOT NULL,
    subject      TEXT NOT NULL,
    scope        TEXT NOT NULL,
    audiences    TEXT NOT NULL,
    carries_home BOOLEAN NOT NULL,
    actor        TEXT,
    issued_at    BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    revoked_at   BIGINT
);
INSERT INTO numbered_access_tokens
SELECT a.number, a.hash, f.rowid, a.client_id, a.subject, a.scope, a.audiences, a.carries_home, a.actor, a.issued_at,
    a.expires_at, a.revoked_at
FROM access_tokens a LEFT JOIN families f ON f.id = a.family;

-- Children first: removing a family removes what refers to it.
DROP TABLE authorization_codes;
DROP TABLE refresh_tokens;
DROP TABLE access_tokens;
DROP TABLE families;
ALTER TABLE numbered_families RENAME TO families;
ALTER TABLE numbered_codes RENAME TO authorization_codes;
ALTER TABLE numbered_refresh_tokens RENAME TO refresh_tokens;
ALTER TABLE numbered_access_tokens RENAME TO access_tokens;

CREATE INDEX families_expiry ON families (expires_at);
CREATE INDEX authorization_codes_family ON authorization_codes (family);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

CREATE TRIGGER family_revoked AFTER UPDATE OF revoked_at ON families WHEN NEW.revoked_at IS NOT NULL
BEGIN
    INSERT INTO revoked_families (family) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
