-- One number that changes whenever something changes that was perhaps read before and kept in memory: who exists, what they
-- may do, and what was revoked. Whoever keeps such a thing reads the number first (storage/sqlite/kept.rs).

CREATE TABLE generation (
    id     BIGINT PRIMARY KEY CHECK (id = 1),
    number BIGINT NOT NULL
);
INSERT INTO generation (id, number) VALUES (1, 1);

CREATE TRIGGER generation_organization_added AFTER INSERT ON organizations
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_organization_changed AFTER UPDATE ON organizations
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_organization_removed AFTER DELETE ON organizations
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_subject_added AFTER INSERT ON subjects
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_subject_changed AFTER UPDATE ON subjects
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_subject_removed AFTER DELETE ON subjects
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_grant_added AFTER INSERT ON grants
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_grant_changed AFTER UPDATE ON grants
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_grant_removed AFTER DELETE ON grants
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_application_added AFTER INSERT ON applications
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_application_changed AFTER UPDATE ON applications
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_application_removed AFTER DELETE ON applications
BEGIN UPDATE generation SET number = number + 1; END;

CREATE TRIGGER generation_family_revoked AFTER UPDATE OF revoked_at ON families
BEGIN UPDATE generation SET number = number + 1; END;
CREATE TRIGGER generation_access_token_revoked AFTER UPDATE OF revoked_at ON access_tokens
BEGIN UPDATE generation SET number = number + 1; END;
