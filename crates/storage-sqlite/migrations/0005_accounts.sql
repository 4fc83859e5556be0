-- Steps of signing in that are still due, personal access tokens, and whose profile is complete.

ALTER TABLE subjects ADD COLUMN must_change_password BOOLEAN NOT NULL DEFAULT FALSE;
-- What is left to do before the person counts as signed in; null when nothing is.
ALTER TABLE sessions ADD COLUMN pending TEXT;
ALTER TABLE tenants ADD COLUMN profile_completed_at BIGINT;

-- Opaque credentials of machine users, for development (contract, part 5).
CREATE TABLE personal_access_tokens (
    id         TEXT PRIMARY KEY,
    hash       BYTEA NOT NULL UNIQUE,
    subject    TEXT NOT NULL REFERENCES subjects (id),
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX personal_access_tokens_subject ON personal_access_tokens (subject);
