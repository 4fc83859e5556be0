-- Domains of organizations (decision 0115). The primary one is also in `organizations`.

CREATE TABLE domains (
    name            TEXT NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id)
) STRICT;
CREATE INDEX domains_organization ON domains (organization_id, name);
INSERT INTO domains (name, organization_id) SELECT domain, id FROM organizations;

-- Domains that organizations say they have, until they are verified.
CREATE TABLE domain_claims (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name            TEXT NOT NULL,
    -- What the owner publishes. No secret.
    token           TEXT NOT NULL,
    -- When what is published was looked at last. NULL: never.
    checked_at      INTEGER,
    PRIMARY KEY (organization_id, name)
) STRICT;
