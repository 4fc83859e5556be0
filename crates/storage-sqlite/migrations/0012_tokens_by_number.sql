-- Tokens are read with every request. They are found by a number, the first 64 bits of their hash as a signed one, in one
-- search instead of two; that a token is revoked with its family is written into it, which saves two more. The whole hash
-- is still compared.
--
-- Tokens and families are not kept in memory any more: that one is revoked says nothing about what is kept (0010).
DROP TRIGGER generation_family_revoked;
DROP TRIGGER generation_access_token_revoked;

CREATE TABLE access_tokens_by_number (
    number       INTEGER PRIMARY KEY,
    hash         BYTEA NOT NULL,
    -- Null for client_credentials.
    family       TEXT REFERENCES families (id) ON DELETE CASCADE,
    client_id    TEXT NOT NULL REFERENCES applications (client_id),
    subject      TEXT NOT NULL REFERENCES subjects (id),
    scope        TEXT NOT NULL,
    audiences    TEXT NOT NULL,
    carries_home BOOLEAN NOT NULL,
    actor        TEXT,
    issued_at    BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    revoked_at   BIGINT
);
INSERT INTO access_tokens_by_number
SELECT
    (instr('123456789ABCDEF', substr(hex(hash), 1, 1)) << 60) |
    (instr('123456789ABCDEF', substr(hex(hash), 2, 1)) << 56) |
    (instr('123456789ABCDEF', substr(hex(hash), 3, 1)) << 52) |
    (instr('123456789ABCDEF', substr(hex(hash), 4, 1)) << 48) |
    (instr('123456789ABCDEF', substr(hex(hash), 5, 1)) << 44) |
    (instr('123456789ABCDEF', substr(hex(hash), 6, 1)) << 40) |
    (instr('123456789ABCDEF', substr(hex(hash), 7, 1)) << 36) |
    (instr('123456789ABCDEF', substr(hex(hash), 8, 1)) << 32) |
    (instr('123456789ABCDEF', substr(hex(hash), 9, 1)) << 28) |
    (instr('123456789ABCDEF', substr(hex(hash), 10, 1)) << 24) |
    (instr('123456789ABCDEF', substr(hex(hash), 11, 1)) << 20) |
    (instr('123456789ABCDEF', substr(hex(hash), 12, 1)) << 16) |
    (instr('123456789ABCDEF', substr(hex(hash), 13, 1)) << 12) |
    (instr('123456789ABCDEF', substr(hex(hash), 14, 1)) << 8) |
    (instr('123456789ABCDEF', substr(hex(hash), 15, 1)) << 4) |
    (instr('123456789ABCDEF', substr(hex(hash), 16, 1)) << 0),
    hash, family, client_id, subject, scope, audiences, carries_home, actor, issued_at, expires_at,
    coalesce(revoked_at, (SELECT f.revoked_at FROM families f WHERE f.id = family))
FROM access_tokens;
DROP TABLE access_tokens;
ALTER TABLE access_tokens_by_number RENAME TO access_tokens;
CREATE INDEX access_tokens_family ON access_tokens (family) WHERE family IS NOT NULL;
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

CREATE TRIGGER family_revoked_with_its_tokens AFTER UPDATE OF revoked_at ON families
BEGIN
    UPDATE access_tokens SET revoked_at = NEW.revoked_at WHERE family = NEW.id AND revoked_at IS NULL;
END;
