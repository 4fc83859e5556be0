-- Authorization rules: every version that was published. The one with the highest number is current.

CREATE TABLE rule_versions (
    number            INTEGER NOT NULL PRIMARY KEY CHECK (number > 0),
    concurrency_stamp TEXT NOT NULL,
    -- Id of a subject, or the command line.
    published_by      TEXT NOT NULL,
    published_at      INTEGER NOT NULL,
    comment           TEXT NOT NULL,
    -- The version whose text it has, if it rolls back to one; 0: the built-in version.
    restores          INTEGER,
    text              TEXT NOT NULL
) STRICT;

CREATE TRIGGER generation_rule_version_inserted AFTER INSERT ON rule_versions
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER rule_versions_are_not_updated BEFORE UPDATE ON rule_versions
BEGIN
    SELECT RAISE(ABORT, 'versions of the rules are immutable');
END;
CREATE TRIGGER rule_versions_are_not_deleted BEFORE DELETE ON rule_versions
BEGIN
    SELECT RAISE(ABORT, 'versions of the rules are immutable');
END;
