import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { linkSite, quick } from "./link-site.ts";

const { origin, file, here } = linkSite();

describe("the process", () => {
  const script = join(import.meta.dirname, "../../../../../local/ingather.js");

  it.each([{ flags: [] }, { flags: ["--no-strip-types"] }])(
    "Node with flags $flags → checks the links",
    async ({ flags }) => {
      const child = spawn(process.execPath, [
        ...flags,
        script,
        ...here([...quick, "--json", "/ok", "/gone"]),
      ]);
      const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
      expect(stdout.trimEnd().split("\n")).toHaveLength(2);
      expect(code).toBe(1);
    },
  );

  it("killed after it has handed over to another Node → that one ends, too", async () => {
    const args = here([...quick, "/ok", "/slow"]);
    const child = spawn(process.execPath, ["--no-strip-types", script, ...args]);
    // Both have this pipe: it ends when neither is left.
    const output = text(child.stdout);
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    expect(await output).toMatch(/^alive .*\/ok .*\n$/);
  });

  it.each([
    ["SIGKILL", 137],
    ["SIGABRT", 134],
  ])("the Node that it has handed over to is ended by %s → said, with %i", async (signal, expected) => {
    const end = `data:text/javascript,if(process.env.INGATHER_HANDED_OVER)process.kill(process.pid,"${signal}")`;
    const child = spawn(process.execPath, ["--no-strip-types", script, ...here([...quick, "/ok"])], {
      env: { ...process.env, NODE_OPTIONS: `--import ${end.replaceAll('"', "%22")}` },
    });
    const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(code).toBe(expected);
    expect(complaints).toContain(`ingather was killed by ${signal} before it finished\n`);
  });

  /** Keeps the Node that it has handed over to from beginning, for long enough to receive a stop signal before. */
  const untilTold =
    "data:text/javascript,if(process.env.INGATHER_HANDED_OVER){process.stderr.write('up');await%20new%20Promise((go)=>setTimeout(go,300))}";

  const many = (count: number) =>
    file("many.txt", Array.from({ length: count }, (_, number) => `${origin()}/ok?${number}`).join("\n"));

  it("a reader that comes late → gets every line, and the exit code is right", async () => {
    const child = spawn(process.execPath, [script, ...quick, "--json", many(1500)]);
    // A pipe holds 64 KiB; the summary comes when all has been written to it.
    await once(child.stderr, "data");
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1500);
    expect(code).toBe(0);
  });

  it("a reader that goes, as head does → stops quietly, with 141", async () => {
    const child = spawn(process.execPath, [script, ...quick, many(1500)]);
    const complaints = text(child.stderr);
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code] = await once(child, "exit");
    expect(code).toBe(141);
    expect(await complaints).toBe("");
  });

  it.skipIf(!existsSync("/dev/full"))("a full disk → says so, with 2 (needs /dev/full)", async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [script, ...quick, many(10)], { stdio: ["ignore", full, "pipe"] });
    const complaints = child.stderr === null ? "" : text(child.stderr);
    const [code] = await once(child, "exit");
    closeSync(full);
    expect(code).toBe(2);
    expect(await complaints).toMatch(/^The output cannot be written: .*ENOSPC/);
  });

  it.each([
    { signal: "SIGINT", to: "the process", expected: 130, flags: [] },
    { signal: "SIGTERM", to: "the process", expected: 143, flags: [] },
    { signal: "SIGINT", to: "the one that has handed over", expected: 130, flags: ["--no-strip-types"] },
    { signal: "SIGTERM", to: "the one that has handed over", expected: 143, flags: ["--no-strip-types"] },
  ] as const)("$signal to $to → says what is known, exits with $expected", async (row) => {
    const { signal, expected, flags } = row;
    const child = spawn(process.execPath, [...flags, script, ...here([...quick, "/ok", "/slow"])]);
    const output = text(child.stdout);
    await once(child.stdout, "data");
    child.kill(signal);
    const [code] = await once(child, "exit");
    expect(code).toBe(expected);
    expect(await output).toMatch(/alive .*\/ok[\s\S]*1 alive, 0 broken, 0 inconclusive, 1 not checked/);
  });

  it("Ctrl-C, which reaches both Nodes → counts once", async () => {
    const args = [...quick, "/ok", "/slow"];
    const child = spawn(process.execPath, ["--no-strip-types", script, ...here(args)], { detached: true });
    const output = text(child.stdout);
    await once(child.stdout, "data");
    process.kill(-(child.pid ?? 0), "SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
    expect(await output).toContain("1 not checked");
  });

  it("SIGTERM while it hands over → ends all the same, with 143", async () => {
    const child = spawn(process.execPath, ["--no-strip-types", script, ...here([...quick, "/slow"])], {
      env: { ...process.env, NODE_OPTIONS: `--import ${JSON.stringify(untilTold)}` },
    });
    const output = text(child.stdout);
    await once(child.stderr, "data");
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect(code).toBe(143);
    expect(await output).toContain("1 not checked");
  });
});
