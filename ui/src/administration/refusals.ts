/** Why the service refused a call of the administration, in words: by its reason, and by the fields that it names. */

import type { Localizer, MessageId } from "../i18n/localizer";
import type { CommandError } from "../ipc/bindings";

export type RefusalMessage = Extract<MessageId, `administration-error-${string}`>;
export type FieldMessage = Extract<MessageId, `invalid-${string}`>;

/** By the reason of the service (decision 0026). */
const REASONS: ReadonlyMap<string, RefusalMessage> = new Map<string, RefusalMessage>([
  ["LAST_ADMINISTRATOR", "administration-error-last"],
  ["LAST_RULE_MANAGER", "administration-error-last-rules"],
  ["USER_LIMIT_ELSEWHERE", "administration-error-limit-elsewhere"],
  ["PLAN_LIMIT", "administration-error-user-limit"],
  ["OWN_ACCOUNT", "administration-error-own"],
  ["USER_DISABLED", "administration-error-user-disabled"],
  ["USER_EXISTS", "administration-error-exists"],
  ["USER_NOT_FOUND", "administration-error-user-gone"],
  ["NO_PASSWORD", "administration-error-no-password"],
  ["OPERATOR_ROLE", "administration-error-operator-role"],
  ["ROLE_EXISTS", "administration-error-role-exists"],
  ["ROLE_NOT_GRANTED", "administration-error-role-gone"],
  ["RATE_LIMIT", "administration-error-rate"],
  ["NO_MACHINE_USER", "administration-error-no-machine-user"],
  ["NO_PATS", "administration-error-no-tokens"],
  ["PAT_CREDENTIAL", "administration-error-token-credential"],
  ["PAT_EXISTS", "administration-error-token-exists"],
  ["PAT_NOT_FOUND", "administration-error-token-gone"],
  ["TOO_MANY_PATS", "administration-error-many-tokens"],
  ["TENANT_EXISTS", "administration-error-tenant-exists"],
  ["TENANT_NOT_FOUND", "administration-error-tenant-gone"],
  ["ORGANIZATION_EXISTS", "administration-error-tenant-exists"],
  ["ORGANIZATION_NOT_FOUND", "administration-error-tenant-gone"],
  ["DOMAIN_TAKEN", "administration-error-domain-taken"],
  ["PROFILE_COMPLETE", "administration-error-profile-complete"],
  ["PROFILE_INCOMPLETE", "administration-error-profile-incomplete"],
  ["OPERATOR_TENANT", "administration-error-operator-tenant"],
  ["STAMP_MISMATCH", "administration-error-stale"],
  ["INVALID_REQUEST", "administration-error-invalid"],
  ["RULES_REFUSED", "administration-error-rules"],
  ["INVALID_RULES", "administration-error-invalid"],
  ["RULES_VERSION_NOT_FOUND", "administration-error-gone"],
  ["DIRECTORY_CHANGED", "administration-error-directory-changed"],
  ["PLAN_EXISTS", "administration-error-plan-exists"],
  ["PLAN_IN_USE", "administration-error-plan-in-use"],
  ["PLAN_NOT_FOUND", "administration-error-gone"],
  ["AUTHORITY_EXISTS", "administration-error-authority-exists"],
  ["AUTHORITY_NOT_FOUND", "administration-error-gone"],
  ["ENCRYPTION_KEY_MISSING", "administration-error-encryption"],
]);

/** Reasons of operations that have no command in the desktop: applications, domains and the operator are of the API and the command line. */
export const WITHOUT_COMMAND: ReadonlySet<string> = new Set([
  "APPLICATION_EXISTS",
  "APPLICATION_NOT_FOUND",
  "DOMAIN_CHECKED_JUST_NOW",
  "DOMAIN_IS_PRIMARY",
  "DOMAIN_NOT_FOUND",
  "DOMAIN_NOT_PROVED",
  "DOMAIN_NOT_VERIFIED",
  "DOMAIN_UNREACHABLE",
  "HAS_ADMINISTRATOR",
  "NO_CURRENT_KEY",
  "NO_SECRET",
  "OPERATOR_EXISTS",
  "OPERATOR_NOT_FOUND",
  "TOO_MANY_DOMAINS",
  "TOO_MANY_SECRETS",
]);

/** By the command, if something is lost with its answer. */
const UNKNOWN_OUTCOMES: ReadonlyMap<string, RefusalMessage> = new Map<string, RefusalMessage>([
  ["mint_personal_token", "administration-error-unknown-token"],
  ["create_tenant", "administration-error-unknown-tenant"],
  ["impersonate", "administration-error-unknown-impersonation"],
]);

/** The message of a reason, if it has words of its own. */
export function messageOfReason(reason: string): RefusalMessage | undefined {
  return REASONS.get(reason);
}

/** The message of an error, or `null` if the general words of errors fit. */
export function messageOf(error: CommandError): RefusalMessage | null {
  switch (error.kind) {
    case "invalidArgument":
      return "administration-error-invalid";
    case "aborted":
      if (error.support.reason === "DIRECTORY_CHANGED") return "administration-error-directory-changed";
      return error.support.operation.endsWith("_rules") ? "administration-error-aborted" : "administration-error-stale";
    case "permissionDenied":
      return error.support.operation === "impersonate" ? "administration-error-not-impersonated" : null;
    case "failedPrecondition":
      return REASONS.get(error.support.reason) ?? "administration-error-state";
    case "alreadyExists":
      // Each is made under an id of its own: an attempt whose answer was lost has made this one.
      if (error.support.operation === "create_machine_user") return "administration-error-secret-lost";
      return REASONS.get(error.support.reason) ?? "administration-error-already";
    case "notFound":
      return REASONS.get(error.support.reason) ?? "administration-error-gone";
    case "unknownOutcome":
      return UNKNOWN_OUTCOMES.get(error.support.operation) ?? "administration-error-unknown-outcome";
    case "planLimit":
    case "rateLimited":
      return REASONS.get(error.support.reason) ?? null;
    default:
      return null;
  }
}

/** By the rule, where a country prescribes the form of a field. */
const RULES: ReadonlyMap<string, FieldMessage> = new Map<string, FieldMessage>([
  ["BR-KSA-08", "invalid-registration-number"],
  ["BR-KSA-37", "invalid-building-digits"],
  ["BR-KSA-66", "invalid-postal-code-digits"],
  ["BR-KSA-F-08", "invalid-registration-crn"],
  ["BR-KSA-F-09", "invalid-registration-700"],
]);

/** By the last parts of the path, without indices. */
const FIELDS: ReadonlyMap<string, FieldMessage> = new Map<string, FieldMessage>([
  ["name", "invalid-name"],
  ["nameAr", "invalid-name-ar"],
  ["username", "invalid-username"],
  ["email", "invalid-email"],
  ["password", "invalid-password"],
  ["role", "invalid-role"],
  ["roles", "invalid-role"],
  ["userId", "invalid-user"],
  ["days", "invalid-days"],
  ["domain", "invalid-domain"],
  ["currency", "invalid-currency"],
  ["country", "invalid-country"],
  ["timeZone", "invalid-time-zone"],
  ["taxId", "invalid-tax-id"],
  ["registrationNumber.scheme", "invalid-registration-number"],
  ["registrationNumber.value", "invalid-registration-number"],
  ["building", "invalid-building"],
  ["street", "invalid-street"],
  ["district", "invalid-district"],
  ["city", "invalid-city"],
  ["postalCode", "invalid-postal-code"],
  ["monthlyDocuments", "invalid-limit-documents"],
  ["requestsPerMinute", "invalid-limit-requests"],
  ["users", "invalid-limit-users"],
  ["documentKinds", "invalid-kinds"],
  ["kinds", "invalid-kinds"],
  ["languages", "invalid-languages"],
  ["authorities", "invalid-authorities"],
  ["adapter", "invalid-adapter"],
  ["endpoint", "invalid-endpoint"],
  ["mode", "invalid-mode"],
  ["credentials.username", "invalid-authority-username"],
  ["credentials.secret", "invalid-authority-secret"],
  ["comment", "invalid-comment"],
]);

/** The words of a refused field by the rule, or by its path in the request. The details name the path of a field that has none. */
export function messageOfField(path: string, rule = ""): FieldMessage | undefined {
  const ofRule = RULES.get(rule);
  if (ofRule) return ofRule;
  const parts = path.replaceAll(/\[\d+\]/g, "").split(".");
  // A list is wrapped in a message with the one field `values`.
  if (parts.at(-1) === "values") parts.pop();
  return FIELDS.get(parts.slice(-2).join(".")) ?? FIELDS.get(parts.at(-1) ?? "");
}

/** Each refused field once; `null` stands for those without words. */
export function refusedFields(violations: readonly { path: string; rule?: string }[]): (FieldMessage | null)[] {
  return [...new Set(violations.map(({ path, rule }) => messageOfField(path, rule) ?? null))];
}

/** The words of the refused fields of a tenant, by their names in its form: their paths in the tenant. */
export function refusedFieldTexts(error: CommandError | null, { t }: Localizer): Record<string, string> {
  const texts: Record<string, string> = {};
  if (error?.kind !== "invalidArgument") return texts;
  for (const { path, rule } of error.violations) {
    const message = messageOfField(path, rule);
    if (message) texts[path.replace(/^(?:tenant|profile)\./, "")] ??= t(message);
  }
  return texts;
}
