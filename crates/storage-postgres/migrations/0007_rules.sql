-- Authorization rules: every version that was published. The one with the highest number is current.

CREATE TABLE rule_versions (
    number            bigint NOT NULL PRIMARY KEY CHECK (number > 0),
    concurrency_stamp text COLLATE "C" NOT NULL,
    -- Id of a subject, or the command line.
    published_by      text COLLATE "C" NOT NULL,
    published_at      bigint NOT NULL,
    comment           text COLLATE "C" NOT NULL,
    -- The version whose text it has, if it rolls back to one; 0: the built-in version.
    restores          bigint,
    text              text COLLATE "C" NOT NULL
);
GRANT SELECT, INSERT ON rule_versions TO invoicing_application;
