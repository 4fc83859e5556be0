-- Identity: who exists, what they may do, and the tokens that were given out.
-- TEXT ids, BIGINT milliseconds since 1970, only hashes of secrets.

CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE organizations (
    id     TEXT PRIMARY KEY,
    name   TEXT NOT NULL,
    name_ar TEXT NOT NULL,
    domain TEXT NOT NULL UNIQUE
);

-- An organization without a row here cannot be resolved to a tenant.
CREATE TABLE tenants (
    organization_id     TEXT PRIMARY KEY REFERENCES organizations (id),
    currency            TEXT NOT NULL,
    country             TEXT NOT NULL,
    time_zone           TEXT NOT NULL,
    tax_id              TEXT NOT NULL,
    building            TEXT NOT NULL,
    street              TEXT NOT NULL,
    district            TEXT NOT NULL,
    city                TEXT NOT NULL,
    postal_code         TEXT NOT NULL,
    monthly_documents   BIGINT,
    requests_per_minute BIGINT,
    authority_endpoint  TEXT
);

-- People and machine users. A machine user has no password.
CREATE TABLE subjects (
    id                TEXT PRIMARY KEY,
    username          TEXT NOT NULL UNIQUE,
    name              TEXT NOT NULL,
    email             TEXT,
    home_organization TEXT NOT NULL REFERENCES organizations (id),
    password_hash     TEXT,
    disabled_at       BIGINT
);

CREATE TABLE grants (
    subject         TEXT NOT NULL REFERENCES subjects (id),
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    role            TEXT NOT NULL,
    PRIMARY KEY (subject, organization_id, role)
);

CREATE TABLE applications (
    client_id              TEXT PRIMARY KEY,
    name                   TEXT NOT NULL,
    kind                   TEXT NOT NULL,
    secret_hash            BYTEA,
    subject                TEXT REFERENCES subjects (id),
    grant_types            TEXT NOT NULL,
    redirect_uris          TEXT NOT NULL,
    post_logout_uris       TEXT NOT NULL,
    id_token_algorithm     TEXT NOT NULL,
    revoke_family_on_reuse BOOLEAN NOT NULL
);

CREATE TABLE signing_keys (
    kid         TEXT PRIMARY KEY,
    algorithm   TEXT NOT NULL,
    pkcs8       BYTEA NOT NULL,
    state       TEXT NOT NULL,
    changed_at  BIGINT NOT NULL
);

-- A person signed in with a browser.
CREATE TABLE sessions (
    id               TEXT PRIMARY KEY,
    hash             BYTEA NOT NULL UNIQUE,
    subject          TEXT NOT NULL REFERENCES subjects (id),
    authenticated_at BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    ended_at         BIGINT
);

-- What one authorization gave out: all tokens that descend from one code belong to one family.
CREATE TABLE families (
    id               TEXT PRIMARY KEY,
    client_id        TEXT NOT NULL REFERENCES applications (client_id),
    subject          TEXT NOT NULL REFERENCES subjects (id),
    session_id       TEXT NOT NULL,
    scope            TEXT NOT NULL,
    authenticated_at BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    revoked_at       BIGINT
);
CREATE INDEX families_expiry ON families (expires_at);

CREATE TABLE authorization_codes (
    hash           BYTEA PRIMARY KEY,
    family         TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    redirect_uri   TEXT NOT NULL,
    code_challenge TEXT,
    nonce          TEXT,
    expires_at     BIGINT NOT NULL,
    used_at        BIGINT
);
CREATE INDEX authorization_codes_family ON authorization_codes (family);

CREATE TABLE refresh_tokens (
    hash       BYTEA PRIMARY KEY,
    family     TEXT NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);

-- family is null for client_credentials.
CREATE TABLE access_tokens (
    hash         BYTEA PRIMARY KEY,
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
CREATE INDEX access_tokens_family ON access_tokens (family);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

-- Sign-ins that failed, counted per account and address, and per address alone (account '').
CREATE TABLE sign_in_attempts (
    account    TEXT NOT NULL,
    address    TEXT NOT NULL,
    attempts   BIGINT NOT NULL,
    last_at    BIGINT NOT NULL,
    PRIMARY KEY (account, address)
);
CREATE INDEX sign_in_attempts_last ON sign_in_attempts (last_at);
