/** The names of commands and requests that errors and pending retries carry. */

import type { commands } from "./bindings";

/** `listInvoices` as the name on the wire, `list_invoices`. */
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

/** Every command of the generated list, by its name on the wire. */
export type CommandName = SnakeCase<keyof typeof commands>;

/** What a command asks of the service: `local` asks nothing, or only the identity provider. A command without a row does not compile. */
export const commandAccess = {
  environments: "local",
  add_environment: "local",
  change_environment: "local",
  remove_environment: "local",
  watch: "local",
  start_sign_in_once: "local",
  accounts: "local",
  switch_account: "local",
  account_drafts: "local",
  purge_account: "local",
  diagnose: "local",
  support_packet: "local",
  save_support_packet: "local",
  start_sign_in: "local",
  open_browser_again: "local",
  use_loopback: "local",
  paste_callback: "local",
  cancel_sign_in: "local",
  sign_out: "local",
  reconnect: "local",
  unlock_vault: "local",
  organizations: "local",
  refresh_organizations: "local",
  switch_organization: "local",
  set_organization_alias: "local",
  set_organization_pinned: "local",
  list_invoices: "read",
  get_invoice: "read",
  calculate: "local",
  issue_document: "write",
  freeze_document: "write",
  save_document: "read",
  print_document: "read",
  print_draft: "local",
  take_opened_file: "local",
  read_invoice_file: "local",
  similar_documents: "read",
  document_defaults: "read",
  search_parties: "read",
  known_party: "read",
  search_items: "read",
  last_price: "read",
  remember_document: "write",
  payments: "read",
  new_payment: "read",
  record_payment: "write",
  void_payment: "write",
  drafts: "local",
  new_draft: "local",
  open_draft: "local",
  save_draft: "local",
  create_document: "write",
  update_document: "write",
  discard_draft: "local",
  unreadable_drafts: "local",
  export_unreadable_drafts: "local",
  delete_unreadable_draft: "local",
  check_outcome: "read",
  ageing: "read",
  monthly_sums: "read",
  tax_sums: "read",
  overview: "read",
  client_overview: "read",
  kept_client_overviews: "local",
  save_table: "local",
  list_users: "read",
  invite_user: "write",
  change_user: "write",
  reset_password: "write",
  list_machine_users: "read",
  create_machine_user: "write",
  list_personal_tokens: "read",
  mint_personal_token: "write",
  revoke_personal_token: "write",
  get_rules: "read",
  list_rule_versions: "read",
  check_rules: "read",
  publish_rules: "write",
  roll_back_rules: "write",
  get_own_plan: "read",
  retry_now: "local",
  cancel_retry: "local",
  preferences: "local",
  save_preferences: "local",
} as const satisfies Record<CommandName, "local" | "read" | "write">;

/** The commands that call the service: an error of the service names the one that failed. */
export type OperationName = {
  [Name in CommandName]: (typeof commandAccess)[Name] extends "local" ? never : Name;
}[CommandName];

/** What a pending retry names: an operation, or the outbox, which sends drafts in the background. */
export type RetryName = OperationName | "outbox";
