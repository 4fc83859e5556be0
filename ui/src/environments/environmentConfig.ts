/** Configuration of an environment as JSON, for copying and pasting. */

import type { EnvironmentConfig } from "../ipc/bindings";

/** The fields after name and kind, in the order of the form. */
export const CONFIG_FIELDS = ["authUrl", "baseUrl", "projectAudienceId", "clientId", "namespace"] as const;

/** The fields about the network of the company, which most leave empty. */
export const NETWORK_FIELDS = ["proxy", "caFile"] as const;

export const emptyConfig: EnvironmentConfig = {
  name: "",
  kind: "production",
  authUrl: "",
  baseUrl: "",
  projectAudienceId: "",
  clientId: "",
  namespace: "idp",
  proxy: "",
  caFile: "",
};

/** The configuration as JSON. */
export function formatEnvironmentConfig(config: EnvironmentConfig): string {
  return JSON.stringify(config, null, 2);
}

/** The fields that a pasted JSON object holds, or `null` if the text is not one. */
export function parseEnvironmentConfig(text: string): Partial<EnvironmentConfig> | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return null;
  const fields = parsed as Record<string, unknown>;
  const found: Partial<EnvironmentConfig> = {};
  for (const field of ["name", ...CONFIG_FIELDS, ...NETWORK_FIELDS] as const) {
    const value = fields[field];
    if (typeof value === "string") found[field] = value;
  }
  if (fields.kind === "staging" || fields.kind === "production") found.kind = fields.kind;
  return Object.keys(found).length > 0 ? found : null;
}
