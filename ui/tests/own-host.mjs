// A `ui-host` of a flow that needs other data or another clock than the rest, with an empty folder. Its keyring is that of the session.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export async function startHost(options = [], variables = {}) {
  const data = mkdtempSync(join(tmpdir(), "ui-host-"));
  const program = process.env.UI_HOST ?? join(import.meta.dirname, "../../target/debug/ui-host");
  const host = spawn(program, ["--data", data, ...options], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [address] = await once(createInterface(host.stdout), "line");
  const stop = async () => {
    host.kill();
    await once(host, "exit");
    rmSync(data, { recursive: true });
  };
  return { address, data, stop };
}
