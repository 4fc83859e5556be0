/** The kinds of events of the audit, in groups. A test compares them with those of the service. */

export const auditGroups = {
  signIn: [
    "signed_in",
    "sign_in_failed",
    "sign_in_throttled",
    "client_authentication_failed",
    "signed_out",
    "sessions_ended",
    "password_changed",
    "password_reset",
    "impersonated",
    "impersonation_refused",
  ],
  tokens: ["token_issued", "token_revoked", "code_replayed", "refresh_reused", "pat_minted", "pat_revoked", "pat_refused"],
  people: ["user_created", "user_invited", "user_disabled", "user_enabled", "role_granted", "role_revoked"],
  applications: [
    "application_registered",
    "application_changed",
    "application_disabled",
    "application_enabled",
    "client_secret_rotated",
  ],
  organization: [
    "organization_created",
    "tenant_created",
    "tenant_changed",
    "tenant_disabled",
    "tenant_enabled",
    "profile_completed",
    "domain_claimed",
    "domain_verified",
    "domain_removed",
    "primary_domain_changed",
    "authority_changed",
    "plan_assigned",
  ],
  records: ["party_changed", "item_changed", "payment_recorded", "payment_voided", "clearance_retried"],
  platform: [
    "rules_published",
    "rules_refused",
    "plan_created",
    "plan_changed",
    "plan_deleted",
    "operator_named",
    "platform_refused",
    "keys_rotated",
    "encryption_rotated",
    "audit_read",
  ],
} as const;

export type AuditGroup = keyof typeof auditGroups;
export type AuditKind = (typeof auditGroups)[AuditGroup][number];

export const auditGroupIds = Object.keys(auditGroups) as AuditGroup[];

const kinds: ReadonlySet<string> = new Set(Object.values(auditGroups).flat());

/** A later version of the service has kinds that this window does not know. */
export function isAuditKind(kind: string): kind is AuditKind {
  return kinds.has(kind);
}
