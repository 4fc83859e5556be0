-- Whom an event is about and where it matters, in parts of 256 entries. Every token that is given out is an event, mostly of
-- somebody else than the one before: in one index over all of them each took a page of its own to write, in one over the last
-- part a hundred share a few. Whoever looks for somebody looks through the parts (storage/sqlite/audit.rs): four thousand for a
-- million entries, ten milliseconds.
DROP INDEX audit_subject;
DROP INDEX audit_organization;
CREATE INDEX audit_subject ON audit (id >> 8, subject, at) WHERE subject IS NOT NULL;
CREATE INDEX audit_organization ON audit (id >> 8, organization_id, at) WHERE organization_id IS NOT NULL;
