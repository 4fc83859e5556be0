-- Administration of users and applications by organizations: codes to set a password, applications with a version that can be
-- disabled, and indexes of what belongs to an organization.

-- Codes with which people set a password, once. There is one as long as the person has no password.
CREATE TABLE password_codes (
    subject    text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES subjects (id),
    hash       bytea NOT NULL,
    -- invitation or reset.
    purpose    text COLLATE "C" NOT NULL,
    -- Of the subject.
    epoch      bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);

CREATE INDEX grants_organization ON grants (organization_id, subject);

-- Whether only people of its organization can sign in with it.
ALTER TABLE applications ADD COLUMN organization_only boolean NOT NULL DEFAULT FALSE;
ALTER TABLE applications ADD COLUMN disabled_at bigint;
ALTER TABLE applications ADD COLUMN concurrency_stamp text COLLATE "C" NOT NULL DEFAULT '0';
CREATE INDEX applications_organization ON applications (organization, client_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON password_codes TO invoicing_application;
