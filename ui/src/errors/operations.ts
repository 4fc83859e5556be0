/** Operations in the words of an error: their labels, and which of them an error says something else about. */

import type { Localizer, MessageId } from "../i18n/localizer";
import { commandAccess, type OperationName } from "../ipc/commandNames";

/** `list` for the message `action-list`. */
type LabelName<Id extends MessageId> = Id extends `action-${infer Name}` ? Name : never;

/** The others have `action-other`. A test finds a write among them. */
const OPERATION_LABELS = {
  list_invoices: "list",
  get_invoice: "get",
  create_document: "create",
  update_document: "update",
  save_document: "save",
  add_attachment: "attach",
  send_attachments: "attach",
  save_attachment: "save",
  remove_attachment: "attach",
  print_document: "print",
  issue_document: "issue",
  freeze_document: "freeze",
  delete_document: "delete",
  remember_document: "remember",
  update_party: "memory",
  update_item: "memory",
  set_party_archived: "memory",
  set_item_archived: "memory",
  record_payment: "record-payment",
  void_payment: "void-payment",
  permissions: "people",
  list_users: "people",
  invite_user: "people",
  change_user: "people",
  reset_password: "people",
  list_machine_users: "machines",
  create_machine_user: "machines",
  list_personal_tokens: "machines",
  mint_personal_token: "machines",
  revoke_personal_token: "machines",
  get_rules: "rules",
  list_rule_versions: "rules",
  check_rules: "rules",
  publish_rules: "rules",
  roll_back_rules: "rules",
  retry_submission: "submit",
  impersonate: "impersonate",
  get_own_tenant: "own-tenant",
  update_own_tenant: "own-tenant",
  list_tenants: "tenants",
  create_tenant: "tenants",
  update_tenant: "tenants",
  set_tenant_enabled: "tenants",
  tenant_history: "tenants",
  tenant_plan: "plans",
  assign_plan: "plans",
  set_tenant_limits: "plans",
  list_plans: "plans",
  create_plan: "plans",
  update_plan: "plans",
  delete_plan: "plans",
  get_authority: "authorities",
  save_authority: "authorities",
  test_authority: "authorities",
  plan_bulk_run: "list",
  check_bulk_issue: "issue",
  export_documents: "list",
  restart_export: "list",
  issue_documents: "issue",
  freeze_documents: "freeze",
  save_documents: "save",
} as const satisfies Partial<Record<OperationName, LabelName<MessageId>>>;

/** What an operation does, as a verb phrase for the middle of a sentence. */
export function operationLabel(operation: string, { t }: Localizer): string {
  return t(`action-${hasLabel(operation) ? OPERATION_LABELS[operation] : "other"}`);
}

function hasLabel(name: string): name is keyof typeof OPERATION_LABELS {
  return Object.hasOwn(OPERATION_LABELS, name);
}

const ATTACHMENT_OPERATIONS: ReadonlySet<string> = new Set<OperationName>([
  "add_attachment",
  "send_attachments",
  "remove_attachment",
]);

/** Whether an operation is about files that are attached to a document. */
export function isAttachmentOperation(operation: string): boolean {
  return ATTACHMENT_OPERATIONS.has(operation);
}

const PAYMENT_OPERATIONS: ReadonlySet<string> = new Set<OperationName>(["record_payment", "void_payment"]);

/** Whether an operation writes an entry beside the document, which itself does not change. */
export function isPaymentOperation(operation: string): boolean {
  return PAYMENT_OPERATIONS.has(operation);
}

const MEMORY_OPERATIONS: ReadonlySet<string> = new Set<OperationName>([
  "update_party",
  "update_item",
  "set_party_archived",
  "set_item_archived",
]);

/** Whether an operation changes what is remembered of buyers or items, and no document. */
export function isMemoryOperation(operation: string): boolean {
  return MEMORY_OPERATIONS.has(operation);
}

type LifecycleStep = "issue" | "freeze" | "delete";

const LIFECYCLE_OPERATIONS: ReadonlyMap<string, LifecycleStep> = new Map<OperationName, LifecycleStep>([
  ["issue_document", "issue"],
  ["issue_documents", "issue"],
  ["check_bulk_issue", "issue"],
  ["freeze_document", "freeze"],
  ["freeze_documents", "freeze"],
  ["delete_document", "delete"],
]);

/** The step in the life of a document that an operation takes; `null` for others. It sends no content, so there is nothing to compare. */
export function lifecycleStepOf(operation: string): LifecycleStep | null {
  return LIFECYCLE_OPERATIONS.get(operation) ?? null;
}

const FILTER_OPERATIONS: ReadonlySet<string> = new Set<OperationName>([
  "list_invoices",
  "plan_bulk_run",
  "export_documents",
  "restart_export",
  "save_documents",
]);

/** Whether all that a person has entered for an operation is the filter of a list. */
export function isFilterOperation(operation: string): boolean {
  return FILTER_OPERATIONS.has(operation);
}

const FILE_OPERATIONS: ReadonlySet<string> = new Set<OperationName>(["save_document", "save_attachment", "print_document"]);

/** Whether an operation fetches many documents and saves them as files, and goes on by itself. */
export function isFilesOperation(operation: string): boolean {
  return operation === ("save_documents" satisfies OperationName);
}

/** Whether an operation fetches a document to print or save it, which has nothing to do with what is typed. */
export function isFileOperation(operation: string): boolean {
  return FILE_OPERATIONS.has(operation);
}

/** Writes that nobody has to repeat: they are kept on this computer and sent once there is a connection, or the service makes them by itself. */
const SENT_LATER: ReadonlySet<string> = new Set<OperationName>([
  "create_document",
  "update_document",
  "add_attachment",
  "send_attachments",
  "remember_document",
  "retry_submission",
]);

const ADMINISTRATION_READS: ReadonlySet<string> = new Set<OperationName>([
  "list_users",
  "list_machine_users",
  "list_personal_tokens",
  "get_rules",
  "list_rule_versions",
  "check_rules",
  "get_own_plan",
  "get_own_tenant",
  "list_audit_events",
  "list_tenants",
  "tenant_history",
  "tenant_plan",
  "list_plans",
  "get_authority",
  "test_authority",
]);

/** Whether an operation reads for the administration, of which nothing is kept on this computer to be sent later. */
export function isAdministrationRead(operation: string): boolean {
  return ADMINISTRATION_READS.has(operation);
}

/** Whether an operation is a write that is lost without a connection, unless a person repeats it. */
export function isNotSentLater(operation: string): boolean {
  const access: Readonly<Record<string, string>> = commandAccess;
  return access[operation] === "write" && !SENT_LATER.has(operation);
}
