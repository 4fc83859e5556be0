-- Initial schema.
--
-- Conventions: identifiers are TEXT; times are INTEGER milliseconds since 1970-01-01T00:00:00Z; of secrets only SHA-256
-- hashes are stored; amounts are INTEGER minor units of the row's currency; lists of words are separated by spaces.
-- Tables are STRICT, so that a value of another type is an error and not stored.

------------------------------------------------------------------------------------------------------------------------
-- Settings
------------------------------------------------------------------------------------------------------------------------

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

------------------------------------------------------------------------------------------------------------------------
-- Directory: organizations, subjects, roles, applications, keys
------------------------------------------------------------------------------------------------------------------------

CREATE TABLE organizations (
    id      TEXT NOT NULL PRIMARY KEY,
    name    TEXT NOT NULL,
    name_ar TEXT NOT NULL,
    domain  TEXT NOT NULL UNIQUE
) STRICT;

-- The organization of the operator of the environment. There is at most one.
CREATE TABLE operator_organization (
    id              INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    organization_id TEXT NOT NULL REFERENCES organizations (id)
) STRICT;

-- The invoicing profile of an organization. An organization without a row here is not a tenant.
CREATE TABLE tenants (
    organization_id      TEXT NOT NULL PRIMARY KEY REFERENCES organizations (id),
    currency             TEXT NOT NULL,
    country              TEXT NOT NULL,
    time_zone            TEXT NOT NULL,
    tax_id               TEXT NOT NULL,
    building             TEXT NOT NULL,
    street               TEXT NOT NULL,
    district             TEXT NOT NULL,
    city                 TEXT NOT NULL,
    postal_code          TEXT NOT NULL,
    -- NULL: unlimited.
    monthly_documents    INTEGER,
    -- NULL: the default of the service.
    requests_per_minute  INTEGER,
    -- Clearance endpoint of the tax authority. NULL: documents are issued without clearance.
    authority_endpoint   TEXT,
    -- NULL: the profile still has to be completed.
    profile_completed_at INTEGER
) STRICT;

-- Users and machine users. A machine user has no password.
CREATE TABLE subjects (
    id                   TEXT NOT NULL PRIMARY KEY,
    username             TEXT NOT NULL UNIQUE,
    name                 TEXT NOT NULL,
    email                TEXT,
    email_verified       INTEGER NOT NULL DEFAULT FALSE,
    home_organization    TEXT NOT NULL REFERENCES organizations (id),
    -- argon2id in PHC string format.
    password_hash        TEXT,
    must_change_password INTEGER NOT NULL DEFAULT FALSE,
    -- Incremented when all that was issued to the subject becomes invalid: sessions, families and tokens carry a copy, which
    -- has to be equal.
    epoch                INTEGER NOT NULL DEFAULT 0,
    disabled_at          INTEGER
) STRICT;

-- Roles of subjects in organizations.
CREATE TABLE grants (
    subject         TEXT NOT NULL REFERENCES subjects (id),
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    role            TEXT NOT NULL,
    PRIMARY KEY (subject, organization_id, role)
) STRICT;

-- OAuth clients.
CREATE TABLE applications (
    client_id              TEXT NOT NULL PRIMARY KEY,
    name                   TEXT NOT NULL,
    kind                   TEXT NOT NULL,
    -- NULL: a public client.
    secret_hash            BLOB,
    -- The machine user that the client acts as.
    subject                TEXT REFERENCES subjects (id),
    -- The only organization whose users the password grant accepts. NULL: any.
    organization           TEXT REFERENCES organizations (id),
    grant_types            TEXT NOT NULL,
    -- The scopes that the client may request.
    scopes                 TEXT NOT NULL DEFAULT 'openid profile email offline_access audience resourceowner',
    includes_audience      INTEGER NOT NULL DEFAULT FALSE,
    redirect_uris          TEXT NOT NULL,
    post_logout_uris       TEXT NOT NULL,
    id_token_algorithm     TEXT NOT NULL,
    revoke_family_on_reuse INTEGER NOT NULL
) STRICT;

-- Client secrets that were replaced, and until when they are accepted.
CREATE TABLE retired_client_secrets (
    client_id TEXT NOT NULL REFERENCES applications (client_id),
    hash      BLOB NOT NULL,
    until     INTEGER NOT NULL,
    PRIMARY KEY (client_id, hash)
) STRICT;

-- Opaque credentials of machine users (contract, part 5).
CREATE TABLE personal_access_tokens (
    id         TEXT NOT NULL PRIMARY KEY,
    hash       BLOB NOT NULL UNIQUE,
    subject    TEXT NOT NULL REFERENCES subjects (id),
    -- Of the subject.
    epoch      INTEGER NOT NULL,
    name       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
CREATE INDEX personal_access_tokens_subject ON personal_access_tokens (subject);

-- Keys that sign id_tokens.
CREATE TABLE signing_keys (
    kid        TEXT NOT NULL PRIMARY KEY,
    algorithm  TEXT NOT NULL,
    -- The private key, PKCS #8 DER.
    pkcs8      BLOB NOT NULL,
    -- next, current or previous.
    state      TEXT NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

-- The generation of the cached records: incremented by every change of a table whose records are cached in memory. A reader
-- uses a cached record only if it was read at the current generation.
CREATE TABLE generation (
    id     INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
) STRICT;
INSERT INTO generation (id, number) VALUES (1, 1);

CREATE TRIGGER generation_organization_inserted AFTER INSERT ON organizations
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_organization_updated AFTER UPDATE ON organizations
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_organization_deleted AFTER DELETE ON organizations
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_tenant_inserted AFTER INSERT ON tenants
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_tenant_updated AFTER UPDATE ON tenants
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_tenant_deleted AFTER DELETE ON tenants
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_subject_inserted AFTER INSERT ON subjects
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_subject_updated AFTER UPDATE ON subjects
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_subject_deleted AFTER DELETE ON subjects
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_grant_inserted AFTER INSERT ON grants
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_grant_updated AFTER UPDATE ON grants
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_grant_deleted AFTER DELETE ON grants
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_application_inserted AFTER INSERT ON applications
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_application_updated AFTER UPDATE ON applications
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_application_deleted AFTER DELETE ON applications
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_client_secret_inserted AFTER INSERT ON retired_client_secrets
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_client_secret_updated AFTER UPDATE ON retired_client_secrets
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_client_secret_deleted AFTER DELETE ON retired_client_secrets
BEGIN UPDATE generation SET number = number + 1; END;

------------------------------------------------------------------------------------------------------------------------
-- Tokens: sessions, authorizations, codes, tokens, sign-in attempts
------------------------------------------------------------------------------------------------------------------------

-- Browser sessions.
CREATE TABLE sessions (
    id               TEXT NOT NULL PRIMARY KEY,
    -- Of the cookie.
    hash             BLOB NOT NULL UNIQUE,
    subject          TEXT NOT NULL REFERENCES subjects (id),
    -- Of the subject.
    epoch            INTEGER NOT NULL,
    authenticated_at INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    ended_at         INTEGER,
    -- The sign-in step that the user still has to complete. NULL: signed in.
    pending          TEXT
) STRICT;

-- One authorization: all tokens that descend from one code or one password grant. The id begins with the time.
CREATE TABLE families (
    id               INTEGER NOT NULL PRIMARY KEY,
    client_id        TEXT NOT NULL REFERENCES applications (client_id),
    subject          TEXT NOT NULL REFERENCES subjects (id),
    -- Empty: no browser session (password grant).
    session_id       TEXT NOT NULL,
    scope            TEXT NOT NULL,
    -- Of the subject.
    epoch            INTEGER NOT NULL,
    authenticated_at INTEGER NOT NULL,
    expires_at       INTEGER NOT NULL,
    revoked_at       INTEGER
) STRICT;
CREATE INDEX families_expiry ON families (expires_at);

-- The revoked families. There are few, so that a token lookup can check them at nearly no cost; a flag in each token would
-- need an index by family, which costs a page write for every issued token.
CREATE TABLE revoked_families (
    family INTEGER NOT NULL PRIMARY KEY REFERENCES families (id) ON DELETE CASCADE
) STRICT;
CREATE TRIGGER family_revoked AFTER UPDATE OF revoked_at ON families WHEN NEW.revoked_at IS NOT NULL
BEGIN
    INSERT INTO revoked_families (family) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

-- Codes and tokens are found by `lookup_key`, which begins with the time of issue: rows that are written together are stored
-- together, and expired rows are found without an index. Several rows can want the same key; a later one takes one of the
-- next seven. The whole hash is compared in addition.
--
-- Tokens have no foreign keys: each would cost a lookup per insert, and the rows they name are deleted after them (families)
-- or never (subjects, authorizations).

CREATE TABLE authorization_codes (
    lookup_key     INTEGER NOT NULL PRIMARY KEY,
    hash           BLOB NOT NULL,
    family         INTEGER NOT NULL REFERENCES families (id) ON DELETE CASCADE,
    redirect_uri   TEXT NOT NULL,
    -- PKCE, method S256.
    code_challenge TEXT,
    nonce          TEXT,
    expires_at     INTEGER NOT NULL,
    used_at        INTEGER
) STRICT;
CREATE INDEX authorization_codes_family ON authorization_codes (family);

-- Authorization requests that applications pushed (RFC 9126).
CREATE TABLE pushed_requests (
    lookup_key        INTEGER NOT NULL PRIMARY KEY,
    hash              BLOB NOT NULL,
    client_id         TEXT NOT NULL REFERENCES applications (client_id),
    -- application/x-www-form-urlencoded.
    parameters        TEXT NOT NULL,
    -- The access token that was sent with it. NULL: none.
    access_token_key  INTEGER,
    access_token_hash BLOB,
    expires_at        INTEGER NOT NULL,
    used_at           INTEGER
) STRICT;

CREATE TABLE refresh_tokens (
    lookup_key INTEGER NOT NULL PRIMARY KEY,
    hash       BLOB NOT NULL,
    family     INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER,
    -- When reuse was first detected: reuse of one token is audited once.
    reused_at  INTEGER
) STRICT;

-- What access tokens authorize: client, scopes and audiences. Most tokens of a client share one row. Rows are immutable, so
-- that they can be cached without a generation.
CREATE TABLE token_authorizations (
    id           INTEGER NOT NULL PRIMARY KEY,
    client_id    TEXT NOT NULL,
    scope        TEXT NOT NULL,
    audiences    TEXT NOT NULL,
    -- Whether the token carries the home organization of its subject.
    carries_home INTEGER NOT NULL,
    UNIQUE (client_id, scope, audiences, carries_home)
) STRICT;
CREATE TRIGGER token_authorizations_are_not_updated BEFORE UPDATE ON token_authorizations
BEGIN
    SELECT RAISE(ABORT, 'token authorizations are immutable');
END;
CREATE TRIGGER token_authorizations_are_not_deleted BEFORE DELETE ON token_authorizations
BEGIN
    SELECT RAISE(ABORT, 'token authorizations are immutable');
END;

CREATE TABLE access_tokens (
    lookup_key          INTEGER NOT NULL PRIMARY KEY,
    hash                BLOB NOT NULL,
    -- NULL: client_credentials.
    family              INTEGER,
    token_authorization INTEGER NOT NULL,
    subject             TEXT NOT NULL,
    -- Of the subject.
    epoch               INTEGER NOT NULL,
    -- The administrator who impersonates the subject, and the epoch of the administrator.
    actor               TEXT,
    actor_epoch         INTEGER,
    issued_at           INTEGER NOT NULL,
    expires_at          INTEGER NOT NULL,
    revoked_at          INTEGER,
    CHECK ((actor IS NULL) = (actor_epoch IS NULL))
) STRICT;

------------------------------------------------------------------------------------------------------------------------
-- Audit: security events, append-only
------------------------------------------------------------------------------------------------------------------------

CREATE TABLE audit_events (
    id              INTEGER NOT NULL PRIMARY KEY,
    at              INTEGER NOT NULL,
    kind            TEXT NOT NULL,
    subject         TEXT,
    actor           TEXT,
    organization_id TEXT,
    client_id       TEXT,
    address         TEXT,
    -- A JSON object of strings.
    detail          TEXT NOT NULL
) STRICT;
CREATE INDEX audit_events_time ON audit_events (at, id);
-- Nearly all events are issued tokens, which are found by time. This index of all others is a hundredth as large.
CREATE INDEX audit_events_kind ON audit_events (kind, at, id) WHERE kind <> 'token_issued';
CREATE INDEX audit_events_actor ON audit_events (actor, at, id) WHERE actor IS NOT NULL;
-- Partitioned by blocks of 256 events: an insert touches the pages of the last block only, where an index over all subjects
-- would dirty one page per event. A query visits every block: 4,000 for a million events, about 10 ms.
CREATE INDEX audit_events_subject ON audit_events (id >> 8, subject, at) WHERE subject IS NOT NULL;
CREATE INDEX audit_events_organization ON audit_events (id >> 8, organization_id, at) WHERE organization_id IS NOT NULL;

CREATE TRIGGER audit_events_are_not_updated BEFORE UPDATE ON audit_events
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
-- Except by the transaction that records the archive with the event.
CREATE TRIGGER audit_events_are_not_deleted BEFORE DELETE ON audit_events
WHEN OLD.id > (SELECT coalesce(max(last_event), 0) FROM audit_archives)
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
-- REPLACE deletes the old row without firing the trigger above.
CREATE TRIGGER audit_events_are_not_replaced BEFORE INSERT ON audit_events
WHEN EXISTS (SELECT 1 FROM audit_events WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- Files with events that are no longer in `audit_events`. Each continues the hash chain of the one before.
CREATE TABLE audit_archives (
    last_event    INTEGER NOT NULL PRIMARY KEY,
    first_event   INTEGER NOT NULL UNIQUE,
    earliest      INTEGER NOT NULL,
    latest        INTEGER NOT NULL,
    previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
    hash          BLOB NOT NULL CHECK (length(hash) = 32),
    file          TEXT NOT NULL UNIQUE,
    archived_at   INTEGER NOT NULL
) STRICT;
CREATE TRIGGER audit_archives_continue BEFORE INSERT ON audit_archives
WHEN NEW.first_event <> (SELECT coalesce(max(last_event), 0) + 1 FROM audit_archives)
    OR NEW.last_event < NEW.first_event
    -- The newest event stays, so that ids continue to ascend.
    OR NEW.last_event >= (SELECT coalesce(max(id), 0) FROM audit_events)
BEGIN
    SELECT RAISE(ABORT, 'an archive continues the one before');
END;
CREATE TRIGGER audit_archives_are_not_updated BEFORE UPDATE ON audit_archives
BEGIN
    SELECT RAISE(ABORT, 'archives of the audit are append-only');
END;
CREATE TRIGGER audit_archives_are_not_deleted BEFORE DELETE ON audit_archives
BEGIN
    SELECT RAISE(ABORT, 'archives of the audit are append-only');
END;

------------------------------------------------------------------------------------------------------------------------
-- Documents
------------------------------------------------------------------------------------------------------------------------

-- The texts that a search for a buyer compares, each once per organization.
CREATE TABLE buyer_texts (
    id              INTEGER NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL,
    text            TEXT NOT NULL,
    UNIQUE (organization_id, text)
) STRICT;

-- One row per document: the columns that lists filter, sort and sum by. All of them derive from the document in
-- `document_contents` and are written together with it.
CREATE TABLE documents (
    id                INTEGER NOT NULL PRIMARY KEY,
    organization_id   TEXT NOT NULL REFERENCES organizations (id),
    -- A UUID as 16 bytes: it is part of eight indexes.
    key               BLOB NOT NULL,
    concurrency_stamp TEXT NOT NULL,
    -- Numbers of the enums Status and Kind of invoicing.documents.v2.
    status            INTEGER NOT NULL,
    kind              INTEGER NOT NULL,
    -- Empty: not numbered yet.
    number            TEXT NOT NULL,
    -- The number with its sequence zero-padded, so that text order is number order.
    number_sort_key   TEXT NOT NULL,
    -- YYYY-MM-DD.
    issue_date        TEXT NOT NULL,
    -- YYYY-MM-DD, or empty.
    due_date          TEXT NOT NULL,
    currency          TEXT NOT NULL,
    net               INTEGER NOT NULL,
    tax               INTEGER NOT NULL,
    gross             INTEGER NOT NULL,
    -- The gross amount in ten-thousandths, comparable across currencies.
    gross_sort_key    INTEGER NOT NULL,
    buyer_sort_key    TEXT NOT NULL,
    buyer_text_id     INTEGER NOT NULL REFERENCES buyer_texts (id),
    updated_at        INTEGER NOT NULL,
    UNIQUE (organization_id, key)
) STRICT;
-- One index per sort field, with the key as tie-breaker.
CREATE INDEX documents_issue_date ON documents (organization_id, issue_date, key);
CREATE INDEX documents_due_date ON documents (organization_id, due_date, key);
CREATE INDEX documents_number ON documents (organization_id, number_sort_key, key);
CREATE INDEX documents_buyer ON documents (organization_id, buyer_sort_key, key);
CREATE INDEX documents_gross ON documents (organization_id, gross_sort_key, key);
CREATE INDEX documents_status ON documents (organization_id, status, key);
CREATE INDEX documents_updated ON documents (organization_id, updated_at, key);
-- A covering index of all columns that filters and sums use: whatever the filter, the sums of a million documents are one
-- scan of it.
CREATE INDEX documents_summary ON documents (organization_id, currency, buyer_text_id, number, issue_date, due_date, status,
    kind, net, tax, gross, gross_sort_key);

-- What is read for the rows of one page, by id. `body` is the whole document and the source of every other column; it comes
-- last, so that a row of a list is read without it.
CREATE TABLE document_contents (
    id          INTEGER NOT NULL PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    -- YYYY-MM-DD, or empty.
    supply_date TEXT NOT NULL,
    payable     INTEGER NOT NULL,
    note        TEXT NOT NULL,
    -- invoicing.documents.v2.Party; NULL: the document has no buyer.
    buyer       BLOB,
    -- invoicing.documents.v2.Event; NULL: not happened.
    created     BLOB,
    updated     BLOB,
    issued      BLOB,
    frozen      BLOB,
    -- invoicing.documents.v2.Document.
    body        BLOB NOT NULL
) STRICT;

-- Counts and sums per day, maintained with every write, so that the totals of an unfiltered list cost the same for any number
-- of documents. An amount is high * 2^32 + low with separate sums, so that no sum overflows. Credit notes count positive.
CREATE TABLE document_sums (
    organization_id TEXT NOT NULL,
    issue_date      TEXT NOT NULL,
    status          INTEGER NOT NULL,
    kind            INTEGER NOT NULL,
    currency        TEXT NOT NULL,
    documents       INTEGER NOT NULL,
    net_high        INTEGER NOT NULL,
    net_low         INTEGER NOT NULL,
    tax_high        INTEGER NOT NULL,
    tax_low         INTEGER NOT NULL,
    gross_high      INTEGER NOT NULL,
    gross_low       INTEGER NOT NULL,
    PRIMARY KEY (organization_id, issue_date, status, kind, currency)
) STRICT;

-- The last number of each series.
CREATE TABLE document_series (
    organization_id TEXT NOT NULL,
    kind            INTEGER NOT NULL,
    year            INTEGER NOT NULL,
    last_number     INTEGER NOT NULL,
    PRIMARY KEY (organization_id, kind, year)
) STRICT;

-- Documents created per month (YYYY-MM), for the limit of the plan.
CREATE TABLE document_months (
    organization_id TEXT NOT NULL,
    month           TEXT NOT NULL,
    created         INTEGER NOT NULL,
    PRIMARY KEY (organization_id, month)
) STRICT;

-- Which documents (by key) the numbered credit notes correct. Several notes can correct one document; their total is checked
-- together. The rows of a document that does not exist here are kept: its notes cannot be checked.
CREATE TABLE document_credits (
    organization_id TEXT NOT NULL,
    original        BLOB NOT NULL,
    note            BLOB NOT NULL,
    PRIMARY KEY (organization_id, original, note)
) STRICT;
CREATE INDEX document_credits_note ON document_credits (organization_id, note);

-- The document as each write left it. Kept when the document is deleted.
CREATE TABLE document_history (
    id              INTEGER NOT NULL PRIMARY KEY,
    organization_id TEXT NOT NULL,
    key             BLOB NOT NULL,
    action          TEXT NOT NULL,
    at              INTEGER NOT NULL,
    subject         TEXT NOT NULL,
    subject_name    TEXT NOT NULL,
    -- invoicing.documents.v2.Document.
    body            BLOB NOT NULL
) STRICT;
CREATE INDEX document_history_key ON document_history (organization_id, key, id);
