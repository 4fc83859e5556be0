-- The longest due submission of one organization, behind any number of those of others.
CREATE INDEX clearance_queue_organization ON clearance_queue (organization_id, due_at);
