-- Budgets of requests that all processes share.

-- The time in nanoseconds since 1970 when the whole budget is available again. One row for each organization.
CREATE TABLE budgets (
    key     text COLLATE "C" NOT NULL PRIMARY KEY,
    arrival bigint NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON budgets TO invoicing_application;
