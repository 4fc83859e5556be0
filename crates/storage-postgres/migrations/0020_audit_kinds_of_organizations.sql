-- The events of some kinds of one organization: the index of kinds has those of all, the index of organizations all kinds of one.
CREATE INDEX audit_events_organization_kind ON audit_events (organization_id, kind, at, id)
    WHERE organization_id IS NOT NULL AND kind <> 'token_issued';
