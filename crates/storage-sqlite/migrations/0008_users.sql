-- Administration of users and applications by organizations: codes to set a password, applications with a version that can be
-- disabled, and indexes of what belongs to an organization.

-- Codes with which people set a password, once. There is one as long as the person has no password.
CREATE TABLE password_codes (
    subject    TEXT NOT NULL PRIMARY KEY REFERENCES subjects (id),
    hash       BLOB NOT NULL,
    -- invitation or reset.
    purpose    TEXT NOT NULL,
    -- Of the subject.
    epoch      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX subjects_home_organization ON subjects (home_organization, id);
CREATE INDEX grants_organization ON grants (organization_id, subject);

-- Whether only people of its organization can sign in with it.
ALTER TABLE applications ADD COLUMN organization_only INTEGER NOT NULL DEFAULT FALSE;
ALTER TABLE applications ADD COLUMN disabled_at INTEGER;
ALTER TABLE applications ADD COLUMN concurrency_stamp TEXT NOT NULL DEFAULT '0';
CREATE INDEX applications_organization ON applications (organization, client_id);
