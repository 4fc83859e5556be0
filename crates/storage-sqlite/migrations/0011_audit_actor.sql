-- What an administrator did, for whoever asks.

CREATE INDEX audit_actor ON audit (actor, at, id) WHERE actor IS NOT NULL;
