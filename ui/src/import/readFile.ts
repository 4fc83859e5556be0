/** The bytes of a file for the core, which reads it. A file that is too large is refused before it is read into memory. */

import type { CommandError, FileReading, WindowBinding } from "../ipc/bindings";
import { CommandFailure, commands } from "../ipc/call";
import { withBinding } from "../state/withBinding";

/** A file, or why the system does not give it. */
export type FileSource = File | CommandError;

/** That of the core. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Bytes that become characters at once: functions take only so many arguments. */
const CHUNK = 0x8000;

export async function readFile(organization: string, file: FileSource): Promise<FileReading> {
  if (!(file instanceof File)) throw new CommandFailure(file);
  if (file.size > MAX_BYTES) throw new CommandFailure({ kind: "fileNotRead", problem: "tooLarge", position: null });
  const content = base64(new Uint8Array(await file.arrayBuffer()));
  return withBinding(organization, (binding: WindowBinding) => commands.readInvoiceFile(binding, content));
}

export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; from += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(from, from + CHUNK)));
  return btoa(parts.join(""));
}

export function fromBase64(content: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
}
