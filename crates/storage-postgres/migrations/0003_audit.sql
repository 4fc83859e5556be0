-- Audit: security events, append-only (decision 0105).

-- Partitioned by the time of the event. The application role may insert and read, and nothing else. There is no number that
-- counts events: one counter would let the writers of all processes wait for each other.
CREATE TABLE audit_events (
    at              bigint NOT NULL,
    -- Random, made before the transaction.
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
-- Nearly all events are issued tokens, which are found by time. This index of all others is a hundredth as large.
CREATE INDEX audit_events_kind ON audit_events (kind, at, id) WHERE kind <> 'token_issued';
CREATE INDEX audit_events_actor ON audit_events (actor, at, id) WHERE actor IS NOT NULL;
CREATE INDEX audit_events_subject ON audit_events (subject, at, id) WHERE subject IS NOT NULL;
CREATE INDEX audit_events_organization ON audit_events (organization_id, at, id) WHERE organization_id IS NOT NULL;
GRANT SELECT, INSERT ON audit_events TO invoicing_application;
INSERT INTO partitioned_tables (name, days, shift, kept_days) VALUES ('audit_events', 30, 0, NULL);

-- Rows that are locked while an event is recorded unless there is one like it.
CREATE TABLE audit_locks (
    slot bigint NOT NULL PRIMARY KEY
);
INSERT INTO audit_locks (slot) SELECT generate_series(0, 63);
GRANT SELECT, UPDATE ON audit_locks TO invoicing_application;

-- The places of events in the hash chain, for those that are about to be archived.
CREATE TABLE audit_positions (
    position bigint NOT NULL PRIMARY KEY,
    at       bigint NOT NULL,
    id       bigint NOT NULL,
    UNIQUE (at, id)
);
GRANT SELECT ON audit_positions TO invoicing_application;

-- The last position that was given to an event. Its one row is locked by whoever changes the chain.
CREATE TABLE audit_chain (
    id            bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    last_position bigint NOT NULL
);
INSERT INTO audit_chain (id, last_position) VALUES (1, 0);
GRANT SELECT ON audit_chain TO invoicing_application;

-- Files with events that are no longer in `audit_events`. Each continues the hash chain of the one before.
CREATE TABLE audit_archives (
    last_event    bigint NOT NULL PRIMARY KEY,
    first_event   bigint NOT NULL UNIQUE,
    earliest      bigint NOT NULL,
    latest        bigint NOT NULL,
    previous_hash bytea NOT NULL CHECK (length(previous_hash) = 32),
    hash          bytea NOT NULL CHECK (length(hash) = 32),
    file          text COLLATE "C" NOT NULL UNIQUE,
    archived_at   bigint NOT NULL,
    -- Random, made before the transaction: a repetition recognises its row by it.
    recording     bigint NOT NULL
);
GRANT SELECT ON audit_archives TO invoicing_application;

-- Gives positions to the oldest events before a time, until `maximum` events have one. The newest event of all gets none.
CREATE FUNCTION number_audit_events(before bigint, maximum bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    last     bigint;
    numbered bigint;
    newest   audit_events;
    added    bigint;
BEGIN
    SELECT last_position INTO STRICT last FROM audit_chain WHERE audit_chain.id = 1 FOR UPDATE;
    SELECT count(*) INTO numbered FROM audit_positions;
    IF numbered >= maximum THEN
        RETURN;
    END IF;
    SELECT * INTO newest FROM audit_events ORDER BY at DESC, id DESC LIMIT 1;
    INSERT INTO audit_positions (position, at, id)
        SELECT last + row_number() OVER (ORDER BY oldest.at, oldest.id), oldest.at, oldest.id
        FROM (
            SELECT event.at, event.id FROM audit_events AS event
            WHERE event.at < before AND (event.at, event.id) < (newest.at, newest.id)
                AND NOT EXISTS (
                    SELECT FROM audit_positions AS known WHERE known.at = event.at AND known.id = event.id)
            ORDER BY event.at, event.id
            LIMIT maximum - numbered
        ) AS oldest;
    GET DIAGNOSTICS added = ROW_COUNT;
    UPDATE audit_chain SET last_position = last + added WHERE audit_chain.id = 1;
END $$;
REVOKE ALL ON FUNCTION number_audit_events(bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_audit_events(bigint, bigint) TO invoicing_application;

-- Records an archive and deletes its events. False, and nothing is changed, if it does not continue the last one, or if not
-- all of its events are there.
CREATE FUNCTION record_audit_archive(
    new_first bigint, new_last bigint, new_earliest bigint, new_latest bigint, new_previous_hash bytea, new_hash bytea,
    new_file text, new_archived_at bigint, new_recording bigint
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    previous audit_archives;
    present  bigint;
BEGIN
    PERFORM FROM audit_chain WHERE id = 1 FOR UPDATE;
    SELECT * INTO previous FROM audit_archives ORDER BY last_event DESC LIMIT 1;
    IF previous.recording = new_recording THEN
        RETURN true;
    END IF;
    IF new_first <> coalesce(previous.last_event, 0) + 1
        OR new_last < new_first
        OR new_previous_hash <> coalesce(previous.hash, decode(repeat('00', 32), 'hex'))
    THEN
        RETURN false;
    END IF;
    SELECT count(*) INTO present FROM audit_positions AS place
        JOIN audit_events AS event ON event.at = place.at AND event.id = place.id
        WHERE place.position BETWEEN new_first AND new_last;
    IF present <> new_last - new_first + 1 THEN
        RETURN false;
    END IF;
    INSERT INTO audit_archives
        (last_event, first_event, earliest, latest, previous_hash, hash, file, archived_at, recording)
        VALUES (new_last, new_first, new_earliest, new_latest, new_previous_hash, new_hash, new_file, new_archived_at,
            new_recording);
    DELETE FROM audit_events AS event USING audit_positions AS place
        WHERE place.position BETWEEN new_first AND new_last AND event.at = place.at AND event.id = place.id;
    DELETE FROM audit_positions WHERE position BETWEEN new_first AND new_last;
    RETURN true;
END $$;
REVOKE ALL ON FUNCTION record_audit_archive(bigint, bigint, bigint, bigint, bytea, bytea, text, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_audit_archive(bigint, bigint, bigint, bigint, bytea, bytea, text, bigint, bigint)
    TO invoicing_application;

-- Drops partitions whose events are all archived. Writers of events wait while it does, so it gives up soon when it has to wait
-- for others.
CREATE FUNCTION drop_archived_audit_partitions() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
    archived  bigint;
    partition text;
    is_empty  boolean;
BEGIN
    SELECT max(latest) INTO archived FROM audit_archives;
    FOR partition IN
        SELECT child.relname FROM pg_inherits
            JOIN pg_class AS child ON child.oid = inhrelid
            JOIN partitioned_tables ON name = 'audit_events'
        WHERE inhparent = 'audit_events'::regclass
            AND (substring(child.relname FROM '_d(-?[0-9]+)$')::bigint + days) * 86400000 <= archived
    LOOP
        EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', partition) INTO is_empty;
        IF is_empty THEN
            LOCK TABLE partitioned_tables IN SHARE ROW EXCLUSIVE MODE;
            LOCK TABLE ONLY audit_events IN ACCESS EXCLUSIVE MODE;
            EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', partition);
            -- Again, now that nobody can insert.
            EXECUTE format('SELECT NOT EXISTS (SELECT FROM %I)', partition) INTO is_empty;
            IF is_empty THEN
                EXECUTE format('DROP TABLE %I', partition);
            END IF;
        END IF;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION drop_archived_audit_partitions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_archived_audit_partitions() TO invoicing_application;
