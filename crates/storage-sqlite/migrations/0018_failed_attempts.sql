-- Failed attempts to sign in or to authenticate (decision 0192). A row is deleted when it has expired.
CREATE TABLE failed_attempts (
    -- A keyed hash of what is attempted and from where.
    key        BLOB NOT NULL PRIMARY KEY,
    -- The attempts, or the milliseconds until all are forgotten.
    level      INTEGER NOT NULL,
    -- What a millisecond takes from the level: 0 or 1.
    drain      INTEGER NOT NULL,
    -- The time of the last attempt.
    at         INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX failed_attempts_expiry ON failed_attempts (expires_at);
