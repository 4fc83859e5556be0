-- The number under which an authority of its country has registered a tenant (BT-29), with its scheme (BR-KSA-08). Empty: it has none.
ALTER TABLE tenants ADD COLUMN registration_number_scheme TEXT NOT NULL DEFAULT '';
ALTER TABLE tenants ADD COLUMN registration_number_value TEXT NOT NULL DEFAULT '';
