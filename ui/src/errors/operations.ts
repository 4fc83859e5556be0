/** Operations in the words of an error: their labels, and which of them an error says something else about. */

import type { Localizer, MessageId } from "../i18n/localizer";
import { commandAccess, type OperationName } from "../ipc/commandNames";

const OPERATION_LABELS = {
  list_invoices: "action-list",
  get_invoice: "action-get",
  check_outcome: "action-other",
  ageing: "action-other",
  monthly_sums: "action-other",
  buyer_sums: "action-other",
  tax_sums: "action-other",
  overview: "action-other",
  client_overview: "action-other",
  create_document: "action-create",
  update_document: "action-update",
  save_document: "action-save",
  list_attachments: "action-other",
  add_attachment: "action-attach",
  send_attachments: "action-attach",
  save_attachment: "action-save",
  remove_attachment: "action-attach",
  print_document: "action-print",
  issue_document: "action-issue",
  freeze_document: "action-freeze",
  delete_document: "action-delete",
  similar_documents: "action-other",
  document_defaults: "action-other",
  seller_tax_id: "action-other",
  search_parties: "action-other",
  known_party: "action-other",
  search_items: "action-other",
  last_price: "action-other",
  remember_document: "action-remember",
  payments: "action-other",
  get_relations: "action-other",
  get_history: "action-other",
  new_payment: "action-other",
  record_payment: "action-record-payment",
  void_payment: "action-void-payment",
  permissions: "action-people",
  read_organization_names: "action-other",
  list_users: "action-people",
  invite_user: "action-people",
  change_user: "action-people",
  reset_password: "action-people",
  list_machine_users: "action-machines",
  create_machine_user: "action-machines",
  list_personal_tokens: "action-machines",
  mint_personal_token: "action-machines",
  revoke_personal_token: "action-machines",
  get_rules: "action-rules",
  list_rule_versions: "action-rules",
  check_rules: "action-rules",
  publish_rules: "action-rules",
  roll_back_rules: "action-rules",
  get_own_plan: "action-other",
  get_submission: "action-other",
  retry_submission: "action-submit",
  impersonate: "action-impersonate",
  list_audit_events: "action-other",
  list_tenants: "action-tenants",
  create_tenant: "action-tenants",
  update_tenant: "action-tenants",
  set_tenant_enabled: "action-tenants",
  tenant_history: "action-tenants",
  tenant_plan: "action-plans",
  assign_plan: "action-plans",
  set_tenant_limits: "action-plans",
  list_plans: "action-plans",
  create_plan: "action-plans",
  update_plan: "action-plans",
  delete_plan: "action-plans",
  get_authority: "action-authorities",
  save_authority: "action-authorities",
  test_authority: "action-authorities",
  plan_bulk_run: "action-list",
  export_documents: "action-list",
  restart_export: "action-list",
  issue_documents: "action-issue",
  freeze_documents: "action-freeze",
} as const satisfies Record<OperationName, MessageId>;

/** What an operation does, as a verb phrase for the middle of a sentence. */
export function operationLabel(operation: string, { t }: Localizer): string {
  return t(isOperation(operation) ? OPERATION_LABELS[operation] : "action-other");
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATION_LABELS, name);
}

const ATTACHMENT_OPERATIONS: ReadonlySet<OperationName> = new Set(["add_attachment", "send_attachments", "remove_attachment"]);

/** Whether an operation is about files that are attached to a document. */
export function isAttachmentOperation(operation: string): boolean {
  return isOperation(operation) && ATTACHMENT_OPERATIONS.has(operation);
}

const PAYMENT_OPERATIONS: ReadonlySet<OperationName> = new Set(["record_payment", "void_payment"]);

/** Whether an operation writes an entry beside the document, which itself does not change. */
export function isPaymentOperation(operation: string): boolean {
  return isOperation(operation) && PAYMENT_OPERATIONS.has(operation);
}

const LIFECYCLE_OPERATIONS: Partial<Record<OperationName, "issue" | "freeze" | "delete">> = {
  issue_document: "issue",
  issue_documents: "issue",
  freeze_document: "freeze",
  freeze_documents: "freeze",
  delete_document: "delete",
};

/** The step in the life of a document that an operation takes; `null` for others. It sends no content, so there is nothing to compare. */
export function lifecycleStepOf(operation: string): "issue" | "freeze" | "delete" | null {
  return (isOperation(operation) && LIFECYCLE_OPERATIONS[operation]) || null;
}

const FILTER_OPERATIONS: ReadonlySet<OperationName> = new Set([
  "list_invoices",
  "plan_bulk_run",
  "export_documents",
  "restart_export",
]);

/** Whether all that a person has entered for an operation is the filter of a list. */
export function isFilterOperation(operation: string): boolean {
  return isOperation(operation) && FILTER_OPERATIONS.has(operation);
}

const FILE_OPERATIONS: ReadonlySet<OperationName> = new Set(["save_document", "save_attachment", "print_document"]);

/** Whether an operation fetches a document to print or save it, which has nothing to do with what is typed. */
export function isFileOperation(operation: string): boolean {
  return isOperation(operation) && FILE_OPERATIONS.has(operation);
}

/** Writes that nobody has to repeat: they are kept on this computer and sent once there is a connection, or the service makes them by itself. */
const SENT_LATER: ReadonlySet<OperationName> = new Set([
  "create_document",
  "update_document",
  "add_attachment",
  "send_attachments",
  "remember_document",
  "retry_submission",
]);

const ADMINISTRATION_READS: ReadonlySet<OperationName> = new Set([
  "list_users",
  "list_machine_users",
  "list_personal_tokens",
  "get_rules",
  "list_rule_versions",
  "check_rules",
  "get_own_plan",
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
  return isOperation(operation) && ADMINISTRATION_READS.has(operation);
}

/** Whether an operation is a write that is lost without a connection, unless a person repeats it. */
export function isNotSentLater(operation: string): boolean {
  return isOperation(operation) && commandAccess[operation] === "write" && !SENT_LATER.has(operation);
}
