-- Audit: security events, append-only.

-- Partitioned by the time of the event. The application role may insert and read, and nothing else.
CREATE TABLE audit_events (
    at              bigint NOT NULL,
    -- Random.
    id              bigint NOT NULL,
    kind            text COLLATE "C" NOT NULL,
    subject         text COLLATE "C",
    actor           text COLLATE "C",
    organization_id text COLLATE "C",
    client_id       text COLLATE "C",
    address         text COLLATE "C",
    -- A JSON object of strings.
    detail          text COLLATE "C" NOT NULL,
    PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
GRANT SELECT, INSERT ON audit_events TO invoicing_application;
INSERT INTO partitioned_tables (name, days, shift, kept_days) VALUES ('audit_events', 30, 0, NULL);
