/** The description of an environment as text, to hand over and to paste: JSON with the fields of `Particulars`. */

import type { Particulars } from "../ipc/bindings";

/** The fields below the name and the kind, in their order. */
export const CONFIG_FIELDS = ["authUrl", "baseUrl", "projectAudienceId", "clientId", "namespace"] as const;

export const emptyConfig: Particulars = {
  name: "",
  kind: "production",
  authUrl: "",
  baseUrl: "",
  projectAudienceId: "",
  clientId: "",
  namespace: "idp",
};

/** A description as text. */
export function formatEnvironmentConfig(config: Particulars): string {
  return JSON.stringify(config, null, 2);
}

/** What a pasted text describes; `null` if it is no description, but a single value. */
export function parseEnvironmentConfig(text: string): Partial<Particulars> | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const fields = parsed as Record<string, unknown>;
  const found: Partial<Particulars> = {};
  for (const field of ["name", ...CONFIG_FIELDS] as const) {
    const value = fields[field];
    if (typeof value === "string") found[field] = value;
  }
  if (fields.kind === "staging" || fields.kind === "production") found.kind = fields.kind;
  return Object.keys(found).length > 0 ? found : null;
}
