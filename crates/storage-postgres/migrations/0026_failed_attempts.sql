-- Failed attempts to sign in or to authenticate, which all processes count together (decision 0192). A row is deleted when it has expired.
CREATE TABLE failed_attempts (
    -- A keyed hash of what is attempted and from where.
    key        bytea NOT NULL PRIMARY KEY,
    -- The attempts, or the milliseconds until all are forgotten.
    level      bigint NOT NULL,
    -- What a millisecond takes from the level: 0 or 1.
    drain      bigint NOT NULL,
    -- The time of the last attempt.
    at         bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX failed_attempts_expiry ON failed_attempts (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON failed_attempts TO invoicing_application;
