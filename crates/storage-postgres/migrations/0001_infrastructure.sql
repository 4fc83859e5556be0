-- Infrastructure: the role of the application, leases, versions of cached records, partitions by time.
--
-- Conventions: identifiers are text; text is compared by bytes (COLLATE "C"), as SQLite does; times are bigint milliseconds
-- since 1970-01-01T00:00:00Z and are passed in, never now(); of secrets only SHA-256 hashes are stored; lists of words are
-- separated by spaces. There are no triggers, sequences, advisory locks, LISTEN or default partitions, so that distributed
-- engines that speak the protocol can take over (decision 0100).

-- The role that the service connects with is a member of this one. It owns nothing (decision 0104).
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'invoicing_application') THEN
        CREATE ROLE invoicing_application NOLOGIN;
    END IF;
EXCEPTION
    -- Another database of the server is migrated at the same time.
    WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
GRANT SELECT ON schema_migrations TO invoicing_application;

-- What one process at a time does. The holder is the one until `expires_at`.
CREATE TABLE leases (
    name       text COLLATE "C" NOT NULL PRIMARY KEY,
    holder     text COLLATE "C" NOT NULL,
    expires_at bigint NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON leases TO invoicing_application;

-- Versions of records that processes cache: incremented in the transaction of every change of such a record. A process uses a
-- cached record only if it was read at the current version.
CREATE TABLE versions (
    name   text COLLATE "C" NOT NULL PRIMARY KEY,
    number bigint NOT NULL
);
INSERT INTO versions (name, number) VALUES ('directory', 1);
GRANT SELECT, UPDATE ON versions TO invoicing_application;

-- Tables that are partitioned by time.
CREATE TABLE partitioned_tables (
    name      text COLLATE "C" NOT NULL PRIMARY KEY,
    -- Days of a partition.
    days      bigint NOT NULL,
    -- Bits by which a time is shifted in the column of the range: 21 for numbers that begin with the time, 0 for times.
    shift     integer NOT NULL,
    -- Days after its end that a partition is kept. NULL: for ever.
    kept_days bigint,
    -- How much of a page inserts fill, in per cent. Below 100 an update finds room on the page of its row.
    fillfactor integer NOT NULL DEFAULT 100
);
GRANT SELECT ON partitioned_tables TO invoicing_application;

-- Creates the partitions that rows of a time need. They are attached, which lets others read and write the table meanwhile.
CREATE FUNCTION create_partitions(milliseconds bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    parent    partitioned_tables;
    today     bigint := floor(milliseconds / 86400000.0);
    first_day bigint;
    partition text;
BEGIN
    -- One process at a time.
    LOCK TABLE partitioned_tables IN SHARE ROW EXCLUSIVE MODE;
    FOR parent IN SELECT * FROM partitioned_tables ORDER BY name LOOP
        first_day := floor(today::numeric / parent.days) * parent.days;
        partition := parent.name || '_d' || first_day;
        IF to_regclass(quote_ident(partition)) IS NULL THEN
            EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = %s)', partition, parent.name,
                parent.fillfactor);
            EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent.name, partition,
                (first_day * 86400000) << parent.shift, ((first_day + parent.days) * 86400000) << parent.shift);
        END IF;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION create_partitions(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_partitions(bigint) TO invoicing_application;

-- Drops one partition that ended longer ago than its table keeps them. Returns whether it did: not either when others use the
-- table for longer than the lock may take, because all that come later wait behind it.
CREATE FUNCTION drop_expired_partition(milliseconds bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    expired text;
BEGIN
    SELECT partition.relname INTO expired
    FROM partitioned_tables parent
        JOIN pg_inherits ON inhparent = to_regclass(quote_ident(parent.name))
        JOIN pg_class partition ON partition.oid = inhrelid
    WHERE (substring(partition.relname FROM '_d(-?[0-9]+)$')::bigint + parent.days + parent.kept_days) * 86400000 <= milliseconds
    ORDER BY partition.relname
    LIMIT 1;
    IF expired IS NULL THEN
        RETURN FALSE;
    END IF;
    EXECUTE format('DROP TABLE %I', expired);
    RETURN TRUE;
EXCEPTION
    WHEN lock_not_available THEN RETURN FALSE;
END $$;
REVOKE ALL ON FUNCTION drop_expired_partition(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_expired_partition(bigint) TO invoicing_application;
