-- Directory: settings, organizations, tenants, subjects, role grants, applications, keys.

CREATE TABLE settings (
    name  text COLLATE "C" NOT NULL PRIMARY KEY,
    value text COLLATE "C" NOT NULL
);

CREATE TABLE organizations (
    id      text COLLATE "C" NOT NULL PRIMARY KEY,
    name    text COLLATE "C" NOT NULL,
    name_ar text COLLATE "C" NOT NULL,
    domain  text COLLATE "C" NOT NULL UNIQUE
);

-- The organization of the operator of the environment. There is at most one.
CREATE TABLE operator_organization (
    id              bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id)
);

-- The invoicing profile of an organization. An organization without a row here is not a tenant.
CREATE TABLE tenants (
    organization_id      text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES organizations (id),
    currency             text COLLATE "C" NOT NULL,
    country              text COLLATE "C" NOT NULL,
    time_zone            text COLLATE "C" NOT NULL,
    tax_id               text COLLATE "C" NOT NULL,
    building             text COLLATE "C" NOT NULL,
    street               text COLLATE "C" NOT NULL,
    district             text COLLATE "C" NOT NULL,
    city                 text COLLATE "C" NOT NULL,
    postal_code          text COLLATE "C" NOT NULL,
    -- NULL: unlimited.
    monthly_documents    bigint,
    -- NULL: the default of the service.
    requests_per_minute  bigint,
    -- Clearance endpoint of the tax authority. NULL: documents are issued without clearance.
    authority_endpoint   text COLLATE "C",
    -- NULL: the profile still has to be completed.
    profile_completed_at bigint
);

-- Users and machine users. A machine user has no password.
CREATE TABLE subjects (
    id                   text COLLATE "C" NOT NULL PRIMARY KEY,
    username             text COLLATE "C" NOT NULL UNIQUE,
    name                 text COLLATE "C" NOT NULL,
    email                text COLLATE "C",
    email_verified       boolean NOT NULL DEFAULT FALSE,
    home_organization    text COLLATE "C" NOT NULL REFERENCES organizations (id),
    -- argon2id in PHC string format.
    password_hash        text COLLATE "C",
    must_change_password boolean NOT NULL DEFAULT FALSE,
    -- Incremented when all that was issued to the subject becomes invalid: sessions, families and tokens carry a copy, which
    -- has to be equal (decision 0106).
    epoch                bigint NOT NULL DEFAULT 0,
    disabled_at          bigint
);
CREATE INDEX subjects_home_organization ON subjects (home_organization, id);

-- Roles of subjects in organizations.
CREATE TABLE grants (
    subject         text COLLATE "C" NOT NULL REFERENCES subjects (id),
    organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
    role            text COLLATE "C" NOT NULL,
    PRIMARY KEY (subject, organization_id, role)
);

-- OAuth clients.
CREATE TABLE applications (
    client_id              text COLLATE "C" NOT NULL PRIMARY KEY,
    name                   text COLLATE "C" NOT NULL,
    kind                   text COLLATE "C" NOT NULL,
    -- NULL: a public client.
    secret_hash            bytea,
    -- The machine user that the client acts as.
    subject                text COLLATE "C" REFERENCES subjects (id),
    -- The only organization whose users the password grant accepts. NULL: any.
    organization           text COLLATE "C" REFERENCES organizations (id),
    grant_types            text COLLATE "C" NOT NULL,
    -- The scopes that the client may request.
    scopes                 text COLLATE "C" NOT NULL DEFAULT 'openid profile email offline_access audience resourceowner',
    includes_audience      boolean NOT NULL DEFAULT FALSE,
    redirect_uris          text COLLATE "C" NOT NULL,
    post_logout_uris       text COLLATE "C" NOT NULL,
    id_token_algorithm     text COLLATE "C" NOT NULL,
    revoke_family_on_reuse boolean NOT NULL
);

-- Client secrets that were replaced, and until when they are accepted.
CREATE TABLE retired_client_secrets (
    client_id text COLLATE "C" NOT NULL REFERENCES applications (client_id),
    hash      bytea NOT NULL,
    until     bigint NOT NULL,
    PRIMARY KEY (client_id, hash)
);

-- Opaque credentials of machine users (contract, part 5).
CREATE TABLE personal_access_tokens (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    hash       bytea NOT NULL UNIQUE,
    subject    text COLLATE "C" NOT NULL REFERENCES subjects (id),
    -- Of the subject.
    epoch      bigint NOT NULL,
    name       text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    revoked_at bigint
);
CREATE INDEX personal_access_tokens_subject ON personal_access_tokens (subject);

-- Keys that sign id_tokens.
CREATE TABLE signing_keys (
    kid        text COLLATE "C" NOT NULL PRIMARY KEY,
    algorithm  text COLLATE "C" NOT NULL,
    -- The private key, PKCS #8 DER.
    pkcs8      bytea NOT NULL,
    -- next, current or previous.
    state      text COLLATE "C" NOT NULL,
    changed_at bigint NOT NULL
);
-- An algorithm has one key of each of these states, whoever adds or rotates keys at the same time.
CREATE UNIQUE INDEX signing_keys_state ON signing_keys (algorithm, state) WHERE state <> 'previous';

GRANT SELECT, INSERT, UPDATE, DELETE
    ON settings, organizations, operator_organization, tenants, subjects, grants, applications, retired_client_secrets,
        personal_access_tokens, signing_keys
    TO invoicing_application;
