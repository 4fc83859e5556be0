-- Drops one partition that ended longer ago than its table keeps them. Returns whether it did. It does not wait for those who use a
-- table longer than the lock may take, because all that come later wait behind it, nor at all for those who use a partition: it goes
-- on with the next partition then, or with those of the next table.
CREATE OR REPLACE FUNCTION drop_expired_partition(milliseconds bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
    table_name text;
    partitions text[];
    expired    text;
BEGIN
    FOR table_name, partitions IN
        SELECT parent.name, array_agg(partition.relname::text ORDER BY partition.relname)
        FROM partitioned_tables parent
            JOIN pg_inherits ON inhparent = to_regclass(quote_ident(parent.name))
            JOIN pg_class partition ON partition.oid = inhrelid
        WHERE (substring(partition.relname FROM '_d(-?[0-9]+)$')::bigint + parent.days + parent.kept_days) * 86400000
            <= milliseconds
        GROUP BY parent.name
        ORDER BY parent.name
    LOOP
        BEGIN
            EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', table_name);
            FOREACH expired IN ARRAY partitions LOOP
                BEGIN
                    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE NOWAIT', expired);
                    EXECUTE format('DROP TABLE %I', expired);
                    RETURN TRUE;
                EXCEPTION
                    WHEN lock_not_available THEN NULL;
                END;
            END LOOP;
            -- The end of the block gives the lock of the table back.
            RAISE lock_not_available;
        EXCEPTION
            WHEN lock_not_available THEN NULL;
        END;
    END LOOP;
    RETURN FALSE;
END $$;
