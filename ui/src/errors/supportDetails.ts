/** Details of an error for support, as plain text without secrets. */

import type { CommandError, Support, Violation } from "../ipc/bindings";

/** Names of the numeric codes (google.rpc.Code). */
const CODE_NAMES: Readonly<Record<number, string>> = {
  3: "INVALID_ARGUMENT",
  5: "NOT_FOUND",
  6: "ALREADY_EXISTS",
  7: "PERMISSION_DENIED",
  8: "RESOURCE_EXHAUSTED",
  9: "FAILED_PRECONDITION",
  10: "ABORTED",
  13: "INTERNAL",
  14: "UNAVAILABLE",
  16: "UNAUTHENTICATED",
};

export type DetailName =
  | "code"
  | "status"
  | "reason"
  | "fields"
  | "operation"
  | "organization"
  | "time"
  | "correlation"
  | "message"
  | "kind";

/** Name and value of each detail that is not empty. */
export function details(error: CommandError): [DetailName, string][] {
  const support = supportOf(error);
  const code = support?.code ?? null;
  const found: [DetailName, string][] = [
    ["kind", error.kind],
    ["code", code === null ? "" : `${code} ${CODE_NAMES[code] ?? ""}`.trim()],
    ["status", support?.status ? String(support.status) : ""],
    ["reason", support?.reason ?? ""],
    ["fields", error.kind === "invalidArgument" ? error.violations.map(violationText).join("; ") : ""],
    ["operation", support?.operation ?? ""],
    ["organization", support?.organization ?? ""],
    ["time", support?.time ?? ""],
    ["correlation", support?.correlationId ?? ""],
    ["message", support?.message ?? localReason(error)],
  ];
  return found.filter(([, value]) => value !== "");
}

function violationText({ path, description }: Violation): string {
  return path === "" ? description : `${path} ${description}`;
}

/** The details as lines of text, in English for support. */
export function detailsText(error: CommandError): string {
  return details(error)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

export function supportOf(error: CommandError): Support | null {
  return "support" in error ? error.support : null;
}

/** The reason of an error that did not come from the service. */
function localReason(error: CommandError): string {
  if (error.kind === "invalidCall" || error.kind === "notSaved" || error.kind === "loopbackNotOpened") return error.reason;
  if (error.kind === "notTrusted") return error.check;
  if (error.kind === "signInRefused") return error.code;
  if (error.kind === "localEnvironment") return `${error.reason}: ${error.what}`;
  return "";
}
