-- Domains of organizations (decision 0115). The primary one is also in `organizations`.

CREATE TABLE domains (
    name            text COLLATE "C" NOT NULL PRIMARY KEY,
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id)
);
CREATE INDEX domains_organization ON domains (organization_id, name);
INSERT INTO domains (name, organization_id) SELECT domain, id FROM organizations;

-- Domains that organizations say they have, until they are verified.
CREATE TABLE domain_claims (
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
    name            text COLLATE "C" NOT NULL,
    -- What the owner publishes. No secret.
    token           text COLLATE "C" NOT NULL,
    -- When what is published was looked at last. NULL: never.
    checked_at      bigint,
    PRIMARY KEY (organization_id, name)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON domains, domain_claims TO invoicing_application;
