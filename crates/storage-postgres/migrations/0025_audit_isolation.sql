-- A transaction that names an organization sees the events of that one only. Without one all are seen: the archive and operators read
-- those of all. Not forced: the functions of the owner, which number, archive and delete events, see all.
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY organization ON audit_events FOR SELECT
    USING (coalesce(current_setting('app.organization', true), '') IN ('', organization_id));
-- Whoever changes something records it, also what is about no organization or about another one.
CREATE POLICY recorded ON audit_events FOR INSERT WITH CHECK (true);

-- Whether an event is recorded, whatever organization the transaction names: a change that is repeated recognises itself by its event.
-- PL/pgSQL keeps the plan. A function in SQL is planned again for all partitions at each call before PostgreSQL 18.
CREATE FUNCTION is_event_recorded(event_at bigint, event_id bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    RETURN EXISTS (SELECT FROM audit_events WHERE at = event_at AND id = event_id);
END $$;
REVOKE ALL ON FUNCTION is_event_recorded(bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_event_recorded(bigint, bigint) TO invoicing_application;
