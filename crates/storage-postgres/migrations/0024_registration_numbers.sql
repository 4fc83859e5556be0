-- The number under which an authority of its country has registered a tenant (BT-29), with its scheme (BR-KSA-08). Empty: it has none.
-- Programs of the version before write rows without it, and leave it as it is.
ALTER TABLE tenants ADD COLUMN registration_number_scheme text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tenants ADD COLUMN registration_number_value text COLLATE "C" NOT NULL DEFAULT '';
