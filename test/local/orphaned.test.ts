import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../listen.ts";

/** Answers `/first`, and keeps what comes after it waiting. */
const server = createServer(({ url }, answer) => {
  if (url === "/first") answer.end("here");
});
let origin = "";
const started: ChildProcess[] = [];
/** The whole of a group that was started. */
const endAll = () => {
  for (const { pid = 0 } of started.splice(0)) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // Nothing of it is left.
    }
  }
};

beforeAll(async () => {
  origin = await listen(server);
});
afterEach(endAll);
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const script = fileURLToPath(new URL("../../local/ingather.js", import.meta.url));

/**
 * A process in the place of npm, which starts a command in a shell, as npm does: `sh -c`, with more to do than the command,
 * so that it stays between both. Of the signals only SIGTERM is forwarded, to the shell.
 */
const npm = `
  import { spawn } from "node:child_process";
  const shell = spawn("sh", ["-c", '"$@"; exit $?', "sh", ...process.argv.slice(1)], { stdio: "inherit" });
  process.on("SIGTERM", () => process.exit(shell.kill("SIGTERM") ? 143 : 1));
`;

/** A check that hangs at its second link, started in that way; `told` is what it has written so far. */
async function startCheck({ event, flags }: { event: string | undefined; flags: string[] }) {
  const { npm_lifecycle_event: _ofThisTest, ...env } = process.env;
  const command = [process.execPath, ...flags, script, "check-links", "--delay", "0", "--allow-private"];
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", npm, "--", ...command, `${origin}/first`, `${origin}/second`],
    {
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...env, ...(event !== undefined && { npm_lifecycle_event: event }) },
    },
  );
  started.push(child);
  const written = { text: "" };
  child.stdout.on("data", (data) => {
    written.text += data;
  });
  // All have this pipe: it ends when none is left.
  const end = once(child.stdout, "end");
  await once(child.stdout, "data");
  return { child, written, end };
}

describe("a command that npm has started", () => {
  it.each([
    ["SIGTERM", []],
    ["SIGHUP", []],
    ["SIGKILL", []],
    ["SIGTERM", ["--no-strip-types"]],
  ] as const)(
    "npm is ended by %s (Node flags: %j) → it says what is known, and ends",
    async (signal, flags) => {
      const { child, written, end } = await startCheck({ event: "npx", flags: [...flags] });
      child.kill(signal);
      await end;
      expect(written.text).toContain("1 alive, 0 broken, 0 inconclusive, 1 not checked");
    },
  );

  it("started by something else that ends → it continues", async () => {
    const { child, end } = await startCheck({ event: undefined, flags: [] });
    child.kill("SIGKILL");
    await once(child, "exit");
    const hasEnded = end.then(() => true);
    const laterMs = 2500;
    const goesOn = new Promise<false>((resolve) => setTimeout(resolve, laterMs, false));
    expect(await Promise.race([hasEnded, goesOn])).toBe(false);
  });
});
