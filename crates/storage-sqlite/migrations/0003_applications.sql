-- What an application may ask for, whose people it signs in, and the secret before its current one.

ALTER TABLE applications ADD COLUMN organization TEXT REFERENCES organizations (id);
ALTER TABLE applications ADD COLUMN scopes TEXT NOT NULL
    DEFAULT 'openid profile email offline_access audience resourceowner';
ALTER TABLE applications ADD COLUMN includes_audience BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE applications ADD COLUMN previous_secret_hash BYTEA;
ALTER TABLE applications ADD COLUMN previous_secret_until BIGINT;

-- Whatever was given out for a subject before this moment is dead: sessions, codes and tokens.
ALTER TABLE subjects ADD COLUMN valid_from BIGINT NOT NULL DEFAULT 0;
