import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { writeMarcXml } from "../../../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { file, iso, mixed, mixedLines, record, ruleFile, rules, xml } from "./record-files.ts";
import { jsonLines, runCommand } from "./run-command.ts";

const folder = temporaryFolder();
const usual = ruleFile("usual.json", rules);

/** The files that were opened by their handles. */
const opened = vi.hoisted(() => [] as FileHandle[]);
vi.mock("node:fs/promises", async (original) => {
  const fs = await original<typeof import("node:fs/promises")>();
  const open: typeof fs.open = async (...args) => {
    const handle = await fs.open(...args);
    opened.push(handle);
    return handle;
  };
  return { ...fs, open };
});

describe("records", () => {
  it.each([
    { format: "MARCXML", input: xml("mixed.xml", ...mixed) },
    { format: "ISO 2709", input: iso("mixed.mrc", ...mixed) },
    { format: "MARCXML under a strange name", input: xml("mixed.data", ...mixed) },
  ])("$format with --json → a line for each, exit code 1", async ({ input }) => {
    const { code, stdout, stderr } = await runCommand(["validate", input, "--rules", usual, "--json"]);
    expect(jsonLines(stdout)).toEqual(mixedLines);
    expect(stderr).toMatch(/^3 records in \d+\.\d s: 1 valid, 1 online-first, 1 refused\n$/);
    expect(code).toBe(1);
  });

  it("a pipe, on a terminal → read to its end, without a bar", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const many = Array.from({ length: 5000 }, (_, at) => record(`${at}`));
    const run = runCommand(["validate", pipe, "--rules", usual], { terminal: true });
    await writeFile(pipe, writeMarcXml(many));
    const { code, stdout, stderr } = await run;
    expect(stdout + stderr).toMatch(/5000 records in \d+\.\d s: 5000 valid/);
    expect(stderr).not.toContain("#");
    expect(code).toBe(0);
  });

  it("without --json → the delinquent ones with their journal, and the summary", async () => {
    const input = xml("plain.xml", ...mixed);
    const { stdout, stderr } = await runCommand(["validate", input, "--rules", usual]);
    const [first, second] = stdout.split("\n");
    expect(first).toMatch(/^delinquent {2}B \(First journal\) {2}245: contents/);
    expect(second).toMatch(/^3 records in/);
    expect(stderr).toBe("");
  });

  it("an id and a title that would turn or steer what is printed → escaped or left out, and as it is with --json", async () => {
    const input = xml("turned.xml", record("B\u202E1", { title: "a\u2028title" }));
    const args = ["validate", input, "--rules", usual];
    expect((await runCommand(args)).stdout).toMatch(/^delinquent {2}B\\u202e1 .*\(a title\)/);
    expect(jsonLines((await runCommand([...args, "--json"])).stdout)).toMatchObject([{ id: "B\u202E1" }]);
  });

  it("a terminal → a bar at the foot, taken away at the end", async () => {
    const input = xml("terminal.xml", ...mixed);
    const { stdout, stderr } = await runCommand(["validate", input, "--rules", usual], { terminal: true });
    expect(stdout).toContain("delinquent  B");
    expect(stderr).toContain("0/1  MiB");
    expect(stderr.endsWith("\r\x1b[K")).toBe(true);
  });

  it.each([
    { condition: "all valid", records: [record("A")], code: 0 },
    { condition: "online-first only", records: [record("C", { volume: "" })], code: 0 },
    { condition: "none", records: [], code: 0 },
    { condition: "one delinquent", records: [record("A"), record("B", { title: "" })], code: 1 },
  ])("$condition → exit code $code", async ({ condition, records, code }) => {
    const result = await runCommand(["validate", xml(`${condition}.xml`, ...records), "--rules", usual]);
    expect(result.code).toBe(code);
  });

  it("--out → a file for each outcome and the reasons, each record once", async () => {
    const out = join(folder, "deep/out");
    await runCommand(["validate", xml("out.xml", ...mixed), "--rules", usual, "--out", out]);
    const written = (name: string) => readFileSync(join(out, name), "utf8");
    for (const [index, name] of ["valid.xml", "delinquent.xml", "online_first.xml"].entries()) {
      expect(written(name)).toBe(new TextDecoder().decode(writeMarcXml(mixed.slice(index, index + 1))));
    }
    expect(written("delinquent.log")).toBe(`B: ${mixedLines[1]?.reasons[0]}\n`);
  });
});

describe("the source of a record", () => {
  const outcomeOf = async (name: string, of: MarcRecord, by: unknown) =>
    jsonLines(
      (await runCommand(["validate", xml(name, of), "--rules", ruleFile(`${name}.json`, by), "--json"]))
        .stdout,
    )[0];

  it("ZID $a of a source with rules → these decide", async () => {
    const { reasons } = await outcomeOf("second", record("A", { zid: "2" }), rules);
    expect(reasons).toEqual(["245: found unexpected subfield $a", "245: required subfield b is missing"]);
  });

  it.each([
    { condition: "no ZID", zid: "", reason: "ZID: the record names no source" },
    { condition: "a ZID that is none of the sources", zid: "3", reason: "ZID: there is no source 3" },
  ])("$condition → delinquent, the run continues", async ({ condition, zid, reason }) => {
    const { outcome, reasons } = await outcomeOf(condition, record("A", { zid }), rules);
    expect(outcome).toBe("delinquent");
    expect(reasons[0]).toBe(reason);
  });

  it("no ZID, and no sources in the file → the rules for all", async () => {
    const { outcome } = await outcomeOf("unnamed", record("A", { zid: "" }), {
      rules: rules.rules.slice(0, 2),
    });
    expect(outcome).toBe("valid");
  });
});

describe("the file of records", () => {
  const input = xml("closed.xml", record("A"), record("B"));

  it.each([
    { condition: "read whole", args: [input] },
    { condition: "broken in its first bytes", args: [file("broken.xml", "<a b='<'>")] },
    { condition: "not read, as nothing can be written", args: [input, "--out", usual] },
    { condition: "read no further after Ctrl-C", args: [input], signal: AbortSignal.abort() },
  ])("$condition → closed", async ({ args, signal }) => {
    opened.length = 0;
    await runCommand(["validate", ...args, "--rules", usual], signal === undefined ? {} : { signal });
    expect(opened.map(({ fd }) => fd)).toEqual([-1]);
  });
});

describe("the process", () => {
  it("100 MB of records within a heap of 40 MB → validated", async () => {
    const path = join(folder, "large.mrc");
    const many = Buffer.concat(Array.from({ length: 2_000 }, () => readFileSync(iso("one.mrc", long()))));
    for (let part = 0; part < 50; part++) writeFileSync(path, many, { flag: "a" });
    const script = join(import.meta.dirname, "../../../../local/ingather.js");
    const args = ["--max-old-space-size=40", script, "validate", path, "--rules", usual];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    const [code] = await once(child, "close");
    expect(stdout).toMatch(/^100000 records in/);
    expect(code).toBe(0);
  });

  function long(): MarcRecord {
    const one = record("A");
    return { ...one, fields: [["245", "00", [["a", "A".repeat(900)]]], ...one.fields.slice(1)] };
  }
});
