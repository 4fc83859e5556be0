// A `ui-host` of a flow that needs other data or another clock than the rest, with an empty folder. Its keyring is that of the session.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { timed } from "./durations.mjs";

export async function startHost(options = [], variables = {}) {
  const data = mkdtempSync(join(tmpdir(), "ui-host-"));
  const program = process.env.UI_HOST ?? join(import.meta.dirname, "../../target/debug/ui-host");
  const start = async (more) => {
    const host = spawn(program, ["--data", data, ...options, ...more], {
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(host, "exit").then(([code]) => assert.fail(`${program} ended with ${code} before it listened`));
    const [address] = await Promise.race([once(createInterface(host.stdout), "line"), ended]);
    return { host, address };
  };
  const first = await timed("own core", () => start([]));
  const { address } = first;
  let { host } = first;
  const end = async (signal) => {
    host.kill(signal);
    await once(host, "exit");
  };
  /** Ends it as a loss of power does, and starts it at the same address with the same folder. */
  const crash = async () => {
    await end("SIGKILL");
    ({ host } = await start(["--listen", new URL(address).host]));
  };
  const stop = async () => {
    await end("SIGTERM");
    rmSync(data, { recursive: true });
  };
  return { address, data, crash, stop };
}

/** The faults of the requests to the gateway, at the address of a `ui-host` with `--faults`. */
export function faultsOf(address) {
  return {
    /** Requests meet a fault, one or all until the faults are cleared. `path` is as in `faults.rs` of `ui-host`. */
    plan: async (path, fault, { untilCleared = true } = {}) => {
      const { status } = await fetch(`${address}/faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ path, fault, untilCleared }),
      });
      assert.equal(status, 204);
    },
    clear: async () => {
      const { status } = await fetch(`${address}/faults`, { method: "DELETE" });
      assert.equal(status, 204);
    },
  };
}
