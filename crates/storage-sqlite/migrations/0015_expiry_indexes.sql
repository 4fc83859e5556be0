-- Sessions and unused codes that have expired, which the only writer deletes: without an index it read both tables whole, and all
-- other writes waited. A code that was used is deleted with its family.
CREATE INDEX authorization_codes_unused ON authorization_codes (expires_at) WHERE used_at IS NULL;
CREATE INDEX sessions_expiry ON sessions (expires_at);
