import { spawn, spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "../../free-ports.ts";

/** Why moto cannot run here; undefined: it can. */
export function motoProblem(): string | undefined {
  const { error, status } = spawnSync("python3", ["-c", "import moto.server, flask"], { stdio: "ignore" });
  if (error !== undefined) return "there is no python3";
  return status === 0 ? undefined : "python3 has no moto with its server (pip install 'moto[server]')";
}

/** moto's server, which ends with the process that reads from it. */
const program = `
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
from moto.server import main
main(sys.argv[1:])
`;

/**
 * Starts moto in a process of its own.
 * @see https://docs.getmoto.org/en/latest/docs/server_mode.html
 */
export async function startMoto(account: string): Promise<{ origin: string; stop: () => void }> {
  const port = await freePorts();
  const child = spawn("python3", ["-c", program, "-H", "127.0.0.1", "-p", String(port)], {
    env: { ...process.env, MOTO_ACCOUNT_ID: account, PYTHONWARNINGS: "ignore" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`moto ended with ${child.exitCode}`);
    const answer = await fetch(`${origin}/moto-api/data.json`).catch(() => undefined);
    if (answer?.ok) return { origin, stop: () => void child.kill("SIGKILL") };
    await delay(100);
  }
}
