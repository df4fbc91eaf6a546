import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LoopbackServer, startLoopbackServer } from "../../local/demo/loopback-server.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { writeEmptyLists } from "../local/cli/commands/empty-lists.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";

const root = join(import.meta.dirname, "../..");
const stateDir = stateFolder();
const file = join(stateDir, "journals.conf");
let site: DemoSite;
/** An authority file that knows everybody as the same person. */
let names: LoopbackServer;
let conf = "";

beforeAll(async () => {
  site = await startDemoSite();
  names = await startLoopbackServer({ port: 0, clock: systemClock }, async () => ({
    status: 200,
    headers: { "content-type": "text/html" },
    body: '<a href="https://d-nb.info/gnd/118629743">GND</a>',
  }));
  const lines = journal.filter((line) => !/^zotero_(url|delivery_mode)/.test(line));
  const delays = ["default_download_delay_time = 10", "max_download_delay_time = 20"];
  conf = configuration(
    [...lines, `zotero_url = ${site.feedUrl}`, "zotero_delivery_mode = LIVE", "strange = 1"],
    delays,
  )
    .replaceAll("https://example.org/", `${names.origin}/`)
    .replace("https://example.org)", "https://library.test/about)");
  writeFileSync(file, conf);
  writeEmptyLists(dirname(file));
});
afterAll(() => Promise.all([site.close(), names.close()]));

/** The command as a person gives it, with the state of this test. */
async function ingather(
  command: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(
    process.execPath,
    [join(root, "local/ingather.js"), command, "--state", stateDir, ...args],
    {
      cwd: root,
      env: { ...process.env, AWS_ENDPOINT_URL: "" },
    },
  );
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

it("export before any import → exit code 1, said why", async () => {
  const { code, stdout, stderr } = await ingather("export");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("no configuration was imported yet\n");
});

it.each<[string, () => [string, ...string[]], number]>([
  ["export", () => ["export"], 1],
  ["import --dry-run", () => ["import", file, "--dry-run"], 0],
])("%s where no state is → none is made", async (_title, args, exitCode) => {
  const missing = join(stateDir, "missing");
  const { code } = await ingather(...args(), "--state", missing);
  expect([code, existsSync(missing)]).toEqual([exitCode, false]);
});

it("import → the items, with warnings; again → nothing to write; changed → what changed", async () => {
  const first = await ingather("import", file);
  expect(first.stderr).toBe('warning: Invalid ini entry "strange" in section "A journal : of tests"\n');
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("4 added, 0 changed") });
  expect((await ingather("import", file)).stdout).toContain("4 unchanged; nothing to write");

  writeFileSync(file, conf.replace("[A journal", "[My journal"));
  const dry = await ingather("import", file, "--dry-run", "--json");
  expect(JSON.parse(dry.stdout).changes).toEqual([
    expect.objectContaining({ type: "changed", id: "ixtheo-4711", fields: ["title"] }),
  ]);
  const changed = await ingather("import", file);
  expect(changed.stdout).toContain("changed source ixtheo-4711 (My journal : of tests): title\n");
  expect(changed.stdout).toContain("version 2\n");
});

it.each([
  [["--strict"], 1, /^nothing is imported: 1 problem$/m],
  [[], 3, /bad\.conf:\d+: section "A journal : of tests" cannot be used: ixtheo-4711: left as stored$/m],
])(
  "a file with a journal that has a problem, %j → exit code %i, its line, nothing of it is imported",
  async (options, exitCode, effect) => {
    const bad = join(stateDir, "bad.conf");
    writeFileSync(bad, conf.replace("zotero_type = RSS", "zotero_type = FOO"));
    const { code, stderr } = await ingather("import", bad, ...options);
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(
      /bad\.conf:\d+: in section "A journal : of tests": invalid enum value for entry "zotero_type"!/,
    );
    expect(stderr).toMatch(effect);
  },
);

it("export → a file that imports to the same", async () => {
  const { code, stdout } = await ingather("export");
  expect(code).toBe(0);
  const exported = join(stateDir, "exported.conf");
  writeFileSync(exported, stdout);
  expect((await ingather("import", exported)).stdout).toContain("4 unchanged; nothing to write");
});

it("npm start → harvests the imported journal instead of the demo's, looks its authors up, and delivers", async () => {
  // The demo's port is taken: who does not need it does not say so.
  const ours = await startDemoSite();
  const hosts = [site, names].flatMap(({ origin }) => ["--allow-private", new URL(origin).host]);
  const started = await startProcess(stateDir, "--once", "--demo-port", new URL(ours.origin).port, ...hosts);
  expect(await started.ended, started.lines.join("\n")).toBe(0);
  await ours.close();
  expect(started.lines.join("\n")).not.toMatch(/port \d+ is taken|demo/i);
  expect(started.lines.join("\n")).toContain("1 live source of the imported configuration.");
  // The group's user_agent names a page.
  expect(started.lines.join("\n")).not.toContain("These requests name no contact");
  const files = globSync("deliveries/ixtheo/*.xml", { cwd: stateDir });
  expect(files).toHaveLength(1);
  const records = readFileSync(join(stateDir, files[0] ?? ""), "utf8");
  expect(records).toContain('<subfield code="a">My journal : of tests</subfield>');
  expect(records).toContain('<subfield code="0">(DE-588)118629743</subfield>');
  expect(names.maxConcurrent()).toBe(1);
});
