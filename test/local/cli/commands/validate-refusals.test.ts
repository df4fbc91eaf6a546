import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeMarcXml } from "../../../../shared/marc/marcxml-writer.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { file, iso, record, ruleFile, rules, xml } from "./record-files.ts";
import { jsonLines, runCommand } from "./run-command.ts";

const folder = temporaryFolder();
const usual = ruleFile("usual.json", rules);

describe("what cannot be read", () => {
  const broken = (text: string) =>
    text.replace("<leader>00000nab a2200000   4500</leader>", "<leader>no</leader>");

  it("one malformed record → delinquent with its line, the others as they are", async () => {
    const text = new TextDecoder().decode(writeMarcXml([record("A"), record("B")]));
    const out = join(folder, "malformed");
    const args = ["validate", file("malformed.xml", broken(text)), "--rules", usual, "--json", "--out", out];
    const { code, stdout } = await runCommand(args);
    const [first, second] = jsonLines(stdout);
    expect(first).toMatchObject({ id: "A", outcome: "delinquent" });
    expect(first.reasons[0]).toMatch(/^record 1 at line 3: the leader/);
    expect(second).toMatchObject({ id: "B", outcome: "valid" });
    expect(readFileSync(join(out, "delinquent.log"), "utf8")).toMatch(/^A: record 1 at line 3: the leader/);
    expect(code).toBe(1);
  });

  it("one malformed record in ISO 2709 → delinquent with its byte, the others as they are", async () => {
    const path = iso("malformed.mrc", record("A"), record("B"));
    writeFileSync(path, readFileSync(path, "latin1").replace(/^\d{5}/, "00030"), "latin1");
    const { stdout } = await runCommand(["validate", path, "--rules", usual, "--json"]);
    const [first, second] = jsonLines(stdout);
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
    expect(jsonLines(stdout)).toEqual([
      { id: "A", outcome: "valid", reasons: [] },
      { id: "B", outcome: "delinquent", reasons: ["record 2 at line 18: unclosed tag: datafield"] },
    ]);
    expect(stderr).toMatch(/RECORDS: line \d+: .*cut\.xml/);
    expect(code).toBe(2);
    expect(readFileSync(join(out, "valid.xml"), "utf8")).toMatch(/<\/collection>\n$/);
  });
});

describe("wrong use", () => {
  const input = xml("use.xml", record("A"));
  const rule = rules.rules[0];

  it.each([
    { condition: "no file", args: ["--rules", usual], problem: "RECORDS: must name" },
    { condition: "two files", args: [input, input, "--rules", usual], problem: "must be a single file" },
    { condition: "no such file", args: ["/no/such", "--rules", usual], problem: "RECORDS: does not exist" },
    { condition: "a folder", args: [folder, "--rules", usual], problem: "RECORDS: is a folder" },
    {
      condition: "an empty file",
      args: [file("empty.xml", ""), "--rules", usual],
      problem: "neither MARCXML nor ISO",
    },
    { condition: "no rules", args: [input], problem: "--rules: must name" },
    { condition: "no such rules", args: [input, "--rules", "/no/such"], problem: "--rules: does not exist" },
    { condition: "rules that are not JSON", args: [input, "--rules", input], problem: "--rules: " },
    { condition: "an unknown option", args: [input, "--rules", usual, "--fast"], problem: "--fast" },
    { condition: "--out at a file", args: [input, "--rules", usual, "--out", usual], problem: "--out: " },
  ])("$condition → exit code 2, with what is wrong", async ({ args, problem }) => {
    const { code, stderr } = await runCommand(["validate", ...args]);
    expect(stderr).toContain(problem);
    expect(code).toBe(2);
  });

  it.each<[string, string, "utf16le" | "utf16be"]>([
    ["UTF-16 with its mark", "\ufeff", "utf16le"],
    ["UTF-16 without", "", "utf16le"],
    ["UTF-16, the high byte first", "\ufeff", "utf16be"],
  ])("%s → is read", async (name, mark, encoding) => {
    const text = mark + readFileSync(input, "utf8");
    const little = Buffer.from(text, "utf16le");
    const path = file(`${name}.xml`, "");
    writeFileSync(path, encoding === "utf16be" ? little.swap16() : little);
    const { code, stdout } = await runCommand(["validate", path, "--rules", usual, "--json"]);
    expect(jsonLines(stdout)).toEqual([{ id: "A", outcome: "valid", reasons: [] }]);
    expect(code).toBe(0);
  });

  it("UTF-32 → exit code 2, naming the encoding", async () => {
    const bytes = Buffer.from(
      [...readFileSync(input, "latin1")].flatMap((character) => [character.charCodeAt(0), 0, 0, 0]),
    );
    const path = file("utf-32.xml", "");
    writeFileSync(path, bytes);
    const { code, stderr } = await runCommand(["validate", path, "--rules", usual]);
    expect(stderr).toContain("RECORDS: the encoding UTF-32 is not read, only UTF-8, UTF-16, ISO-8859-1");
    expect(code).toBe(2);
  });

  it("--out where the input would be overwritten → exit code 2, the input as it was", async () => {
    const path = xml("valid.xml", record("A"));
    const before = readFileSync(path, "utf8");
    const { code, stderr } = await runCommand(["validate", path, "--rules", usual, "--out", dirname(path)]);
    expect({ code, after: readFileSync(path, "utf8") }).toEqual({ code: 2, after: before });
    expect(stderr).toContain("would overwrite");
    expect(existsSync(join(dirname(path), "delinquent.xml"))).toBe(false);
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
      problem: 'rules.0.source: is not among the sources of the file (got "9")',
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
