import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type FileHandle, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { writeIso2709 } from "../../../shared/marc/iso2709-writer.ts";
import { writeMarcXml } from "../../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

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

const folder = temporaryFolder();

function record(id: string, options: { title?: string; zid?: string; volume?: string } = {}): MarcRecord {
  const { title = "A title", zid = "1", volume = "12" } = options;
  return {
    leader: "00000nab a2200000   4500",
    control: [
      ["001", id],
      ["003", "DE-1"],
      ["007", "tu"],
    ],
    fields: [
      ["245", "00", [["a", title]]],
      ...(volume === "" ? [] : [["936", "uw", [["d", volume]]] as MarcRecord["fields"][number]]),
      ...(zid === "" ? [] : [["ZID", "  ", [["a", zid]]] as MarcRecord["fields"][number]]),
    ],
  };
}

const rules = {
  sources: { "1": "First journal", "2": "Second journal" },
  rules: [
    { source: null, tag: "245", subfield: "a", recordType: "regular", presence: "always", regex: "^[A-Z]" },
    { source: null, tag: "936", subfield: "d", recordType: "regular", presence: "sometimes" },
    { source: null, tag: "ZID", subfield: "a", recordType: "regular", presence: "always" },
    { source: "2", tag: "245", subfield: "b", recordType: "regular", presence: "always" },
  ],
};

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const xml = (name: string, ...records: MarcRecord[]) => file(name, writeMarcXml(records));
const iso = (name: string, ...records: MarcRecord[]) =>
  file(
    name,
    Buffer.concat(
      records.map((one) => {
        const outcome = writeIso2709(one);
        return outcome.type === "written" ? outcome.bytes : Buffer.from(outcome.reason);
      }),
    ),
  );
const ruleFile = (name: string, content: unknown) => file(name, JSON.stringify(content));
const usual = ruleFile("usual.json", rules);
const mixed = [record("A"), record("B", { title: "a title" }), record("C", { volume: "" })];
const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const mixedLines = [
  { id: "A", outcome: "valid", reasons: [] },
  {
    id: "B",
    outcome: "delinquent",
    reasons: ['245: contents of subfield $a(a title) did not match regex "^[A-Z]"'],
  },
  { id: "C", outcome: "online_first", reasons: [] },
];

describe("records", () => {
  it.each([
    { format: "MARCXML", input: xml("mixed.xml", ...mixed) },
    { format: "ISO 2709", input: iso("mixed.mrc", ...mixed) },
    { format: "MARCXML under a strange name", input: xml("mixed.data", ...mixed) },
  ])("$format with --json → a line for each, exit code 1", async ({ input }) => {
    const { code, stdout, stderr } = await runCommand(["validate", input, "--rules", usual, "--json"]);
    expect(lines(stdout)).toEqual(mixedLines);
    expect(stderr).toMatch(/^3 records in \d+\.\d s: 1 valid, 1 online-first, 1 delinquent\n$/);
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
    expect(lines((await runCommand([...args, "--json"])).stdout)).toMatchObject([{ id: "B\u202E1" }]);
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
    lines(
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
  ])("$condition → delinquent, the run goes on", async ({ condition, zid, reason }) => {
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

describe("what cannot be read", () => {
  const broken = (text: string) =>
    text.replace("<leader>00000nab a2200000   4500</leader>", "<leader>no</leader>");

  it("one malformed record → delinquent with its line, the others as they are", async () => {
    const text = new TextDecoder().decode(writeMarcXml([record("A"), record("B")]));
    const out = join(folder, "malformed");
    const args = ["validate", file("malformed.xml", broken(text)), "--rules", usual, "--json", "--out", out];
    const { code, stdout } = await runCommand(args);
    const [first, second] = lines(stdout);
    expect(first).toMatchObject({ id: "", outcome: "delinquent" });
    expect(first.reasons[0]).toMatch(/^record 1 at line 3: the leader/);
    expect(second).toMatchObject({ id: "B", outcome: "valid" });
    expect(readFileSync(join(out, "delinquent.log"), "utf8")).toMatch(/^record 1 at line 3: the leader/);
    expect(code).toBe(1);
  });

  it("one malformed record in ISO 2709 → delinquent with its byte, the others as they are", async () => {
    const path = iso("malformed.mrc", record("A"), record("B"));
    writeFileSync(path, readFileSync(path, "latin1").replace(/^\d{5}/, "00030"), "latin1");
    const { stdout } = await runCommand(["validate", path, "--rules", usual, "--json"]);
    const [first, second] = lines(stdout);
    expect(first.reasons[0]).toMatch(/^record 1 at byte 0: the leader says/);
    expect(second).toMatchObject({ id: "B", outcome: "valid" });
  });

  it("XML that ends too early → what came before, then the line; exit code 2", async () => {
    const text = new TextDecoder().decode(writeMarcXml([record("A"), record("B")]));
    const input = file("cut.xml", text.slice(0, text.lastIndexOf("<subfield")));
    const out = join(folder, "cut");
    const { code, stdout, stderr } = await runCommand([
      "validate",
      input,
      "--rules",
      usual,
      "--json",
      "--out",
      out,
    ]);
    expect(lines(stdout)).toEqual([{ id: "A", outcome: "valid", reasons: [] }]);
    expect(stderr).toMatch(/RECORDS: line \d+: .*cut\.xml/);
    expect(code).toBe(2);
    expect(readFileSync(join(out, "valid.xml"), "utf8")).toMatch(/<\/collection>\n$/);
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

describe("wrong use", () => {
  const input = xml("use.xml", record("A"));
  const rule = rules.rules[0];

  it.each([
    { condition: "no file", args: ["--rules", usual], problem: "RECORDS: must name" },
    { condition: "two files", args: [input, input, "--rules", usual], problem: "one file at a time" },
    { condition: "no such file", args: ["/no/such", "--rules", usual], problem: "RECORDS: ENOENT" },
    { condition: "a folder", args: [folder, "--rules", usual], problem: "RECORDS: EISDIR" },
    {
      condition: "an empty file",
      args: [file("empty.xml", ""), "--rules", usual],
      problem: "neither MARCXML nor ISO",
    },
    { condition: "no rules", args: [input], problem: "--rules: must name" },
    { condition: "no such rules", args: [input, "--rules", "/no/such"], problem: "--rules: ENOENT" },
    { condition: "rules that are no JSON", args: [input, "--rules", input], problem: "--rules: " },
    { condition: "an unknown option", args: [input, "--rules", usual, "--fast"], problem: "--fast" },
    { condition: "--out at a file", args: [input, "--rules", usual, "--out", usual], problem: "--out: " },
  ])("$condition → exit code 2, with what is wrong", async ({ args, problem }) => {
    const { code, stderr } = await runCommand(["validate", ...args]);
    expect(stderr).toContain(problem);
    expect(code).toBe(2);
  });

  it("--out where the input would be overwritten → exit code 2, the input as it was", async () => {
    const path = xml("valid.xml", record("A"));
    const before = readFileSync(path, "utf8");
    const { code, stderr } = await runCommand(["validate", path, "--rules", usual, "--out", folder]);
    expect({ code, after: readFileSync(path, "utf8") }).toEqual({ code: 2, after: before });
    expect(stderr).toContain("would overwrite");
    expect(existsSync(join(folder, "delinquent.xml"))).toBe(false);
  });

  it.each([
    {
      condition: "another tag",
      rules: [{ ...rule, tag: "24" }],
      problem: 'rules.0.tag: must be a tag of three digits or capital letters (got "24")',
    },
    { condition: "another presence", rules: [{ ...rule, presence: "often" }], problem: "rules.0.presence: " },
    { condition: "another type", rules: [{ ...rule, recordType: "book" }], problem: "rules.0.recordType: " },
    {
      condition: "an expression that backtracks",
      rules: [{ ...rule, regex: "(?=a)" }],
      problem: "rules.0.regex: ",
    },
    {
      condition: "a source that is not listed",
      rules: [{ ...rule, source: "9" }],
      problem: 'rules.0.source: is none of the file\'s sources (got "9")',
    },
    {
      condition: "the same subfield twice",
      rules: [rule, { ...rule, presence: "ignore" }],
      problem: "rules.1: a second rule for * regular 245 a",
    },
    { condition: "an unknown name", rules: [{ ...rule, pattern: "a" }], problem: "pattern" },
  ])(
    "a rule with $condition → exit code 2, with field and value",
    async ({ condition, problem, rules: list }) => {
      const path = ruleFile(`${condition}.json`, { ...rules, rules: list });
      const { code, stderr } = await runCommand(["validate", input, "--rules", path]);
      expect(stderr).toContain(problem);
      expect(code).toBe(2);
    },
  );

  it("a source written as a number → the same source", async () => {
    const path = ruleFile("number.json", { ...rules, rules: [{ ...rule, source: 1 }] });
    expect((await runCommand(["validate", input, "--rules", path])).code).toBe(1);
  });

  it("Ctrl-C → what was decided so far, exit code 130", async () => {
    const signal = AbortSignal.abort();
    const { code, stdout } = await runCommand(["validate", input, "--rules", usual], { signal });
    expect(stdout).toMatch(/^0 records in/);
    expect(code).toBe(130);
  });
});

describe("the process", () => {
  it("100 MB of records within a heap of 40 MB → validated", async () => {
    const path = join(folder, "large.mrc");
    const many = Buffer.concat(Array.from({ length: 2_000 }, () => readFileSync(iso("one.mrc", long()))));
    for (let part = 0; part < 50; part++) writeFileSync(path, many, { flag: "a" });
    const script = join(import.meta.dirname, "../../../local/ingather.js");
    const args = ["--max-old-space-size=40", script, "validate", path, "--rules", usual];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let stdout = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    const [code] = await once(child, "exit");
    expect(stdout).toMatch(/^100000 records in/);
    expect(code).toBe(0);
  });

  function long(): MarcRecord {
    const one = record("A");
    return { ...one, fields: [["245", "00", [["a", "A".repeat(900)]]], ...one.fields.slice(1)] };
  }
});
