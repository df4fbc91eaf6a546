import { XMLParser } from "fast-xml-parser";
import { expect, it } from "vitest";
import type { ReportedLink } from "../../../../../local/cli/commands/check-links/formats/link-output.ts";
import {
  createOutput,
  type OutputFormatName,
} from "../../../../../local/cli/commands/check-links/formats/output-formats.ts";

const alive: ReportedLink = {
  url: "http://a.example/ok",
  verdict: "alive",
  finding: "alive",
  reason: "answered 200",
  hops: [{ url: "http://a.example/ok", status: 200 }],
  elapsedMs: 12,
  places: [{ file: "docs/a b.md", line: 3, column: 7 }],
};
const broken: ReportedLink = {
  ...alive,
  url: "http://a.example/gone?x=1&y=<b>",
  verdict: "broken",
  reason: "the page matches //p",
  rulePart: "xpath",
  matchedText: "=1+1",
  places: [
    { file: "docs/a b.md", line: 9, column: 1 },
    { file: "books.mrc", line: 1, column: 80, record: "R1" },
  ],
};
const hostile: ReportedLink = {
  ...alive,
  url: "http://a.example/\n::error::x|y\x1b[2J\ufffe",
  verdict: "inconclusive",
  reason: 'no <answer> "%0A"]]>,\r\n=x',
  hops: [],
  places: [],
};

function write(format: OutputFormatName, links: ReportedLink[]): string {
  const output = createOutput(format);
  const counts = { alive: 0, broken: 0, inconclusive: 0 };
  for (const { verdict } of links) counts[verdict]++;
  return links.map((link) => output.add(link)).join("") + output.finish({ tookMs: 1500, counts });
}

it("text → a line per link, with place and matched text", () => {
  expect(write("text", [alive, broken]).split("\n")).toEqual([
    "alive        http://a.example/ok  answered 200  in docs/a b.md:3:7",
    'broken       http://a.example/gone?x=1&y=<b>  the page matches //p: "=1+1"  in docs/a b.md:9:1, books.mrc:1:80 (record R1)',
    "",
  ]);
});

it("json → every field that a link has", () => {
  const [first, second] = write("json", [alive, broken])
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toEqual(alive);
  expect(second).toEqual(broken);
});

it("csv → a row per place; formulas are text", () => {
  const rows = write("csv", [broken]).split("\r\n");
  expect(rows[1]).toBe(
    "http://a.example/gone?x=1&y=<b>,broken,the page matches //p,200,http://a.example/ok,xpath,'=1+1,,12,docs/a b.md,9,1,",
  );
  expect(rows[2]).toMatch(/,books\.mrc,1,80,R1$/);
  expect(write("csv", []).split("\r\n")).toHaveLength(2);
});

it("junit → a case per link, failures and errors counted", () => {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" });
  const { testsuites } = parser.parse(write("junit", [hostile, broken, alive]));
  expect(testsuites).toMatchObject({ tests: "3", failures: "1", errors: "1", time: "1.500" });
  const cases = testsuites.testsuite.testcase;
  expect(cases.map(({ classname }: { classname: string }) => classname)).toEqual([
    "a.example",
    "docs/a b.md",
    "docs/a b.md",
  ]);
  expect(cases[2]).toMatchObject({ name: broken.url, file: "docs/a b.md", line: "9" });
  expect(cases[2].failure["#text"]).toContain("books.mrc:1:80 (record R1)");
});

it("markdown → broken links first; nothing of a page is markup", () => {
  const text = write("markdown", [hostile, alive, broken]);
  expect(text).toContain("3 links: 1 alive, 1 broken, 1 inconclusive");
  const rows = text.split("\n").filter((line) => /^\| (?:broken|inconclusive|alive) /.test(line));
  expect(rows.map((row) => row.split(" ")[1])).toEqual(["broken", "inconclusive"]);
  expect(rows[0]).toContain("y=&lt;b\\>");
  expect(rows[1]).toContain("x\\|y");
});

it("sarif → a result per place, with an encoded path", () => {
  const { runs, version } = JSON.parse(write("sarif", [alive, broken, hostile]));
  expect(version).toBe("2.1.0");
  const [{ results }] = runs;
  expect(results.map(({ level }: { level: string }) => level)).toEqual(["warning", "error", "error"]);
  expect(results[1].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: "docs/a%20b.md" },
    region: { startLine: 9, startColumn: 1 },
  });
  expect(results[0].locations).toBeUndefined();
});

it("github → an annotation per place; no text begins a command of its own", () => {
  const lines = write("github", [alive, broken, hostile]).trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[0]).toBe(
    "::error file=docs/a b.md,line=9,col=1,title=Broken link::http://a.example/gone?x=1&y=<b>: the page matches //p",
  );
  expect(lines[2]).toMatch(/^::warning title=Inconclusive link::http:\/\/a\.example\/\\x0a::error::x/);
  expect(lines[2]).toContain('"%250A"');
});

it.each(["text", "csv", "junit", "markdown", "sarif", "github"] as const)(
  "%s → no control characters from a page",
  (format) => {
    expect(write(format, [hostile])).not.toMatch(/(?![\r\n])\p{Cc}/u);
  },
);
