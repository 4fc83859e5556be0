-- Tokens: sessions, authorizations with their codes, pushed requests, refresh and access tokens, revocations.
--
-- The number of a token begins with the time of its issue: 42 bits of milliseconds and 21 random ones. It says which partition
-- a row is in, and its low ten bits which bucket; all tokens of a family are in the bucket of its id. The hash is part of the
-- key, because two numbers can be equal (decision 0101).
-- Tables that are partitioned have no foreign keys: attaching a partition would lock the tables that they refer to.

-- Browser sessions.
CREATE TABLE sessions (
    -- Of the cookie.
    hash             bytea NOT NULL PRIMARY KEY,
    id               text COLLATE "C" NOT NULL UNIQUE,
    subject          text COLLATE "C" NOT NULL REFERENCES subjects (id),
    -- Of the subject.
    epoch            bigint NOT NULL,
    authenticated_at bigint NOT NULL,
    expires_at       bigint NOT NULL,
    ended_at         bigint,
    -- The sign-in step that the user still has to complete. NULL: signed in.
    pending          text COLLATE "C"
);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Authorization requests that applications pushed (RFC 9126).
CREATE TABLE pushed_requests (
    hash                bytea NOT NULL PRIMARY KEY,
    number              bigint NOT NULL,
    client_id           text COLLATE "C" NOT NULL REFERENCES applications (client_id),
    -- application/x-www-form-urlencoded.
    parameters          text COLLATE "C" NOT NULL,
    -- The access token that was sent with it. NULL: none.
    access_token_number bigint,
    access_token_hash   bytea,
    expires_at          bigint NOT NULL,
    used_at             bigint,
    -- Made by the request that used it, which recognises its own use.
    use_id              bigint
);
CREATE INDEX pushed_requests_expiry ON pushed_requests (expires_at);

-- One authorization with its code: all tokens that descend from one code or one password grant. The id is a number as that of a
-- token.
CREATE TABLE families (
    id               bigint NOT NULL,
    bucket           smallint NOT NULL CHECK (bucket = id & 1023),
    client_id        text COLLATE "C" NOT NULL,
    subject          text COLLATE "C" NOT NULL,
    -- NULL: no browser session (password grant).
    session_id       text COLLATE "C",
    scope            text COLLATE "C" NOT NULL,
    -- Of the subject.
    epoch            bigint NOT NULL,
    authenticated_at bigint NOT NULL,
    -- A partition is dropped 92 days after its end.
    expires_at       bigint NOT NULL CHECK (expires_at <= (id >> 21) + 91 * 86400000::bigint),
    -- The code. NULL: none (password grant). A lookup by the code visits the partitions of a day before and after it.
    code_number      bigint CHECK (abs((code_number >> 21) - (id >> 21)) <= 86400000 AND bucket = code_number & 1023),
    code_hash        bytea,
    redirect_uri     text COLLATE "C",
    -- PKCE, method S256.
    code_challenge   text COLLATE "C",
    nonce            text COLLATE "C",
    code_expires_at  bigint,
    code_used_at     bigint,
    -- Hash of the access token that the code was redeemed for, or that was issued with the family: a transaction that is
    -- repeated recognises its own.
    successor        bytea,
    PRIMARY KEY (id, bucket)
) PARTITION BY RANGE (id);
CREATE INDEX families_code ON families (code_number);
INSERT INTO partitioned_tables (name, days, shift, kept_days, fillfactor) VALUES ('families', 7, 21, 92, 85);

CREATE TABLE refresh_tokens (
    number     bigint NOT NULL,
    hash       bytea NOT NULL,
    bucket     smallint NOT NULL CHECK (bucket = number & 1023),
    family     bigint NOT NULL CHECK (bucket = family & 1023),
    -- A partition is dropped 32 days after its end.
    expires_at bigint NOT NULL CHECK (expires_at <= (number >> 21) + 31 * 86400000::bigint),
    used_at    bigint,
    -- Hash of the access token that it was used for: a transaction that is repeated recognises its own.
    successor  bytea,
    -- When reuse was first detected: reuse of one token is audited once.
    reused_at  bigint,
    PRIMARY KEY (number, hash, bucket)
) PARTITION BY RANGE (number);
INSERT INTO partitioned_tables (name, days, shift, kept_days, fillfactor) VALUES ('refresh_tokens', 7, 21, 32, 85);

-- What access tokens authorize: client, scopes and audiences. Most tokens of a client share one row. Rows are immutable, so that
-- they are cached without a version: the application role may not change them.
CREATE TABLE token_authorizations (
    -- 63 bits of the SHA-256 of the other columns.
    id           bigint NOT NULL PRIMARY KEY,
    client_id    text COLLATE "C" NOT NULL,
    scope        text COLLATE "C" NOT NULL,
    audiences    text COLLATE "C" NOT NULL,
    -- Whether the token carries the home organization of its subject.
    carries_home boolean NOT NULL
);

-- Rows are inserted and never changed.
CREATE TABLE access_tokens (
    number              bigint NOT NULL,
    hash                bytea NOT NULL,
    bucket              smallint NOT NULL CHECK (bucket = number & 1023),
    -- NULL: client_credentials.
    family              bigint CHECK (bucket = family & 1023),
    token_authorization bigint NOT NULL,
    subject             text COLLATE "C" NOT NULL,
    -- Of the subject.
    epoch               bigint NOT NULL,
    -- The administrator who impersonates the subject, and the epoch of the administrator.
    actor               text COLLATE "C",
    actor_epoch         bigint,
    issued_at           bigint NOT NULL,
    -- A partition is dropped 2 days after its end.
    expires_at          bigint NOT NULL CHECK (expires_at <= (number >> 21) + 86400000),
    PRIMARY KEY (number, hash, bucket),
    CHECK ((actor IS NULL) = (actor_epoch IS NULL))
) PARTITION BY RANGE (number);
INSERT INTO partitioned_tables (name, days, shift, kept_days) VALUES ('access_tokens', 1, 21, 2);

-- Revoked families and access tokens. There are few, so a lookup of a token checks them at nearly no cost. A revoked family takes
-- its code, refresh tokens and access tokens along.
CREATE TABLE revoked (
    bucket     smallint NOT NULL,
    -- family or access_token.
    kind       text COLLATE "C" NOT NULL,
    -- The id of the family, or the number of the token.
    number     bigint NOT NULL,
    -- Of the token. Empty: a family.
    hash       bytea NOT NULL,
    -- When nothing is left that it revokes.
    expires_at bigint NOT NULL,
    PRIMARY KEY (bucket, kind, number, hash)
);
CREATE INDEX revoked_expiry ON revoked (expires_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON sessions, pushed_requests TO invoicing_application;
GRANT SELECT, INSERT, UPDATE ON families, refresh_tokens TO invoicing_application;
GRANT SELECT, INSERT ON token_authorizations, access_tokens TO invoicing_application;
GRANT SELECT, INSERT, DELETE ON revoked TO invoicing_application;
