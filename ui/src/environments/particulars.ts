/** The description of an environment as text, to hand over and to paste: JSON with the fields of `Particulars`. */

import type { Particulars } from "../ipc/bindings";

/** The fields below the name and the kind, in their order. */
export const TYPED = ["authUrl", "baseUrl", "projectAudienceId", "clientId", "namespace"] as const;

export const blank: Particulars = {
  name: "",
  kind: "production",
  authUrl: "",
  baseUrl: "",
  projectAudienceId: "",
  clientId: "",
  namespace: "idp",
};

/** A description as text. */
export function written(particulars: Particulars): string {
  return JSON.stringify(particulars, null, 2);
}

/** What a pasted text describes; `null` if it is no description, but a single value. */
export function described(text: string): Partial<Particulars> | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) return null;
  const given = read as Record<string, unknown>;
  const found: Partial<Particulars> = {};
  for (const field of ["name", ...TYPED] as const) {
    const value = given[field];
    if (typeof value === "string") found[field] = value;
  }
  if (given.kind === "staging" || given.kind === "production") found.kind = given.kind;
  return Object.keys(found).length > 0 ? found : null;
}
