import { describe, expect, it } from "vitest";
import { CostBudget } from "../../../../shared/formats/tree/cost-budget.ts";
import { readHtml } from "../../../../shared/formats/tree/html.ts";
import { PageTooLarge } from "../../../../shared/formats/tree/page-tree.ts";
import { evaluate } from "../../../../shared/formats/xpath/evaluate.ts";
import { parseXPath } from "../../../../shared/formats/xpath/parser.ts";
import { toStringValue } from "../../../../shared/formats/xpath/values.ts";
import { cpuMsOf } from "../../../cpu-time.ts";

const page = readHtml(`<!doctype html>
<html lang="en-NZ"><head><title>Papers</title></head><body id="top">
<div id="a" class="box"><p>one</p><p class="x">two <b>bold</b></p><!-- note --></div>
<div id="b"><ul><li>1</li><li>2</li><li>3</li></ul><i title="3">after</i></div>
</body></html>`);

/** A value as text; nodes by id, or name and text. */
function found(expression: string): string | number | boolean {
  const context = { page, budget: CostBudget.ofPage(page), node: 0, position: 1, size: 1 };
  const value = evaluate(parseXPath(expression), context);
  if (!Array.isArray(value)) return value;
  return value.map((node) => toStringValue([node], context).trim() || page.names[node]).join(" ");
}

describe("paths", () => {
  it.each([
    ["//p", "one two bold"],
    ["/html/body/div[2]/ul/li", "1 2 3"],
    ["//li[2]", "2"],
    ["//li[last()]", "3"],
    ["//li[position() > 1]", "2 3"],
    ["//li[position() > 1][1]", "2"],
    ["(//p | //li)[3]", "1"],
    ["(//li)[last()]", "3"],
    ["//li[. = 2]", "2"],
    ["//li[. = //i/@title]", "3"],
    ["//div[@id='a']/following::*", "123after 123 1 2 3 after"],
    ["//li[3]/preceding::p", "one two bold"],
    ["//li[3]/preceding::*[1]", "2"],
    ["//li[2]/preceding-sibling::*", "1"],
    ["//li[3]/preceding-sibling::li[1]", "2"],
    ["//li[1]/following-sibling::li", "2 3"],
    ["//b/ancestor::*[1]", "two bold"],
    ["//b/ancestor::div/@id", "a"],
    ["//b/ancestor-or-self::b", "bold"],
    ["//b/../@class", "x"],
    ["//li/..", "123"],
    ["//li/parent::ul/self::ul", "123"],
    ["//@id", "top a b"],
    ["//div//b", "bold"],
    ["//div/descendant::b", "bold"],
    ["//div[1]/comment()", "note"],
    ["//p/text()", "one two"],
    ["//p/node()", "one two bold"],
    ["//P[@CLASS]", "two bold"],
    ["//i/namespace::*", ""],
    ["//i/processing-instruction('x')", ""],
    ["id('b a')/@id", "a b"],
    ["id('nope')", ""],
    ["//nothing", ""],
    ["//div[ul and not(p)]/@id", "b"],
    ["//div [ p ] / @ id", "a"],
  ])("%s → %j", (expression, expected) => {
    expect(found(expression)).toBe(expected);
  });

  it("each node once, however many ways lead to it", () => {
    expect(found("count(//li/..)")).toBe(1);
    expect(found("count(//li/ancestor::*)")).toBe(4);
    expect(found("count(//*/descendant::li)")).toBe(3);
    expect(found("count(//li | //li[2])")).toBe(3);
  });
});

describe("values", () => {
  it.each([
    ["1 + 2 * 3 - 4 div 2", 5],
    ["-(2)", -2],
    ["- - 2", 2],
    ["7 mod 3", 1],
    ["-7 mod 3", -1],
    ["1 div 0", Number.POSITIVE_INFINITY],
    ["'a' * 1", Number.NaN],
    ["6 div 2", 3],
    ["1 < 2 and 2 <= 2 or false()", true],
    ["1 > 2", false],
    ["2 >= 2", true],
    ["'1' = 1", true],
    ["'a' = true()", true],
    ["//li = 2", true],
    ["//li != 2", true],
    ["//nothing != 2", false],
    ["//nothing = false()", true],
    ["//li > 2", true],
    ["//li < 1", false],
    ["//li = //p", false],
    ["//li < //i/@title", true],
    ["string(//p)", "one"],
    ["string(//nothing)", ""],
    ["string(1.5)", "1.5"],
    ["string(1 div 3 > 0)", "true"],
    ["string(0.0000001)", "0.0000001"],
    ["string(1000000000000000000000000)", "1000000000000000000000000"],
    ["string(-0.00000025)", "-0.00000025"],
    ["string(-0)", "0"],
    ["number(' 12.5 ')", 12.5],
    ["number('1e3')", Number.NaN],
    ["number(true())", 1],
    ["number('')", Number.NaN],
    ["sum(//li)", 6],
    ["count(//li)", 3],
    ["concat('a', 1, true())", "a1true"],
    ["starts-with('abc', 'ab')", true],
    ["contains(//p, 'ne')", true],
    ["substring-before('1999/04', '/')", "1999"],
    ["substring-before('1999', '/')", ""],
    ["substring-after('1999/04', '/')", "04"],
    ["substring('12345', 2, 3)", "234"],
    ["substring('12345', 1.5, 2.6)", "234"],
    ["substring('12345', 0, 3)", "12"],
    ["substring('12345', 0 div 0, 3)", ""],
    ["substring('12345', -42, 1 div 0)", "12345"],
    ["substring('12345', 2)", "2345"],
    ["string-length('a𝒳c')", 3],
    ["normalize-space('  a \n b ')", "a b"],
    ["translate('bar', 'abc', 'AB')", "BAr"],
    ["translate('--aaa--', 'a-', 'A')", "AAA"],
    ["boolean('')", false],
    ["boolean('false')", true],
    ["boolean(0 div 0)", false],
    ["not(//nothing)", true],
    ["floor(-1.5)", -2],
    ["ceiling(1.2)", 2],
    ["round(2.5)", 3],
    ["round(-2.5)", -2],
    ["local-name(//@class)", "class"],
    ["name(//div)", "div"],
    ["namespace-uri(//div)", ""],
    ["boolean(//b[lang('en')])", true],
    ["boolean(//b[lang('de')])", false],
    ["//p[string-length() = 3] = 'one'", true],
    ["//p[normalize-space() = 'two bold'] and //i[number(@title) = 3]", true],
  ])("%s → %j", (expression, expected) => {
    expect(found(expression)).toEqual(expected);
  });
});

describe("words that are names and operators", () => {
  it.each([
    ["count(//div) div count(//div)", 1],
    ["2 * count(//*[self::div])", 4],
    ["count(//and | //or | //div | //mod)", 2],
    ["count(//div[@id]/*)", 4],
    ["//li[1]*//li[2]", 2],
  ])("%s → %j", (expression, expected) => {
    expect(found(expression)).toBe(expected);
  });
});

describe("work", () => {
  const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const folded = `translate(., "${upper}", "${upper.toLowerCase()}")`;
  const paragraph = `<div class="row"><div><p>${"lorem ipsum <b>dolor</b> sit amet consectetur ".repeat(20)}</p></div></div>`;
  const pages = {
    ordinary: readHtml(`<body>${"<div>".repeat(12)}${paragraph.repeat(100)}<h1>Page NOT found</h1>`),
    nested: readHtml(`${"<div>x".repeat(2000)}${"word ".repeat(15_000)}`),
    deep: readHtml("<div>".repeat(20_000)),
    flat: readHtml(`<body>${"<i></i>".repeat(14_000)}`),
    text: readHtml(`<p>${"word ".repeat(20_000)}`),
    repetitive: readHtml(`<p>${"a".repeat(100_000)}`),
    astral: readHtml(`<p>${"\u{1d4b3}".repeat(25_000)}`),
    attributes: readHtml(`<p ${Array.from({ length: 8000 }, (_, at) => `a${at}="x"`).join(" ")}>`),
  };
  type PageName = keyof typeof pages;

  function run(expression: string, name: PageName) {
    const large = pages[name];
    const context = { page: large, budget: CostBudget.ofPage(large), node: 0, position: 1, size: 1 };
    let value: unknown;
    const cpuMs = cpuMsOf(() => {
      try {
        value = evaluate(parseXPath(expression), context);
      } catch (error) {
        if (!(error instanceof PageTooLarge)) throw error;
        value = "given up";
      }
    });
    return { value, cpuMs };
  }

  it.each<[string, PageName, unknown]>([
    ["//div//div//div//div//div", "deep", expect.any(Array)],
    ["//i//i//i", "flat", []],
    ["//i[last()]/following::b", "flat", []],
    [`boolean(//*[contains(${folded}, "page not found")])`, "ordinary", true],
    ['boolean(//*[normalize-space(.) = "Page NOT found"])', "ordinary", true],
    ['boolean(//*[contains(., "NOT found")])', "ordinary", true],
    [`boolean(//b[${folded} = "dolor"])`, "ordinary", true],
    ["count(//p[string-length(.) > 10])", "ordinary", 100],
  ])("%s on 100 KB, %s → an answer", (expression, name, expected) => {
    expect(run(expression, name).value).toEqual(expected);
  });

  /** Issue 4's bound is 150 ms; machines that do other things besides are given more. */
  it.each<[string, PageName]>([
    ["//i/preceding::i", "flat"],
    ["//i[preceding-sibling::i = 'x']", "flat"],
    ["//i[count(//i) > 1]", "flat"],
    ["//i < //i", "flat"],
    ["count(//*/ancestor::*)", "deep"],
    ["count(//*/descendant::*)", "deep"],
    ["//*[preceding::*]", "deep"],
    ["//*[lang('en')]", "deep"],
    ["//@*[../child::b]", "attributes"],
    ["//*[contains(., 'zzz')]", "nested"],
    ["//*[string-length(.) = 3]", "nested"],
    ["//*[substring(., 2) = 'z']", "nested"],
    ["//*[normalize-space(.) = 'Not found']", "nested"],
    [`//*[${folded} = "q"]`, "nested"],
    [`//*[translate(/, "${upper}", "") = "q"]`, "nested"],
    ["//*[concat(., .) = 'q']", "nested"],
    ["//*[substring-after(., 'zz') = 'q']", "nested"],
    ["//*[number(.) = 3]", "nested"],
    ["//*[. = /]/nothing", "nested"],
    ["//* != //*", "nested"],
    ["//* < //*", "nested"],
    ["//*[id(/)]", "nested"],
    [`translate(concat(${Array(900).fill("/").join(",")}), "a", "b")`, "text"],
    [`contains(., "b${"a".repeat(1800)}")`, "repetitive"],
    ["//node()[translate(/, '\u{1d4b3}', 'x') = 'q']", "astral"],
    ["//node()[substring(/, 2) = 'q']", "astral"],
  ])("%s on 100 KB, %s → an answer or given up, in good time", (expression, name) => {
    expect(run(expression, name).cpuMs).toBeLessThan(5000);
  });

  it("texts that would outgrow the memory → given up before they are built", () => {
    const { value } = run(`translate(concat(${Array(900).fill("/").join(",")}), "a", "b")`, "text");
    expect(value).toBe("given up");
  });
});

describe("characters beyond the first 65,536", () => {
  it.each([
    ["substring('a\u{1d4b3}cd', 2, 2)", "\u{1d4b3}c"],
    ["substring('a\u{1d4b3}cd', 3)", "cd"],
    ["translate('a\u{1d4b3}c', '\u{1d4b3}', 'b')", "abc"],
    ["translate('a\u{1d4b3}c', 'c', 'd')", "a\u{1d4b3}d"],
    ["translate('äé', 'éä', 'e')", "e"],
    ["normalize-space('\u{1d4b3}  x ')", "\u{1d4b3} x"],
  ])("%s → %j", (expression, expected) => {
    expect(found(expression)).toBe(expected);
  });
});
