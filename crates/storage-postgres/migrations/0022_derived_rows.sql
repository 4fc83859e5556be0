-- Until when rows that migrations derive from others are there also for what programs of the version before have written meanwhile:
-- `migrate` looks for those at each run (decision 0104). NULL: until the migration.
ALTER TABLE schema_migrations ADD COLUMN derived_until bigint;
