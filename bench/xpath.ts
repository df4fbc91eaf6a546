/**
 * Measures the evaluation of a rule's XPath on a page of 100 KB: parsing with parse5, building Ingather's
 * table of nodes, and evaluating typical and hostile expressions. Prints the fastest round and the median of
 * the rounds, which alternate. On a busy machine, the fastest round is the most accurate.
 *
 * Usage: npx node bench/xpath.ts [rounds]
 */
import { parse } from "parse5";
import { readHtml } from "../shared/formats/tree/html.ts";
import { PageTooLarge, type PageTree } from "../shared/formats/tree/page-tree.ts";
import { compileXPath } from "../shared/formats/xpath/xpath.ts";

const rounds = Number(process.argv[2] ?? 15);

const row =
  '<tr><td class="year">1893</td><td><a href="/papers/1893">The <i>Star</i> &amp; others</a></td></tr>';
const paragraph = `<p>${"Lorem ipsum <b>dolor</b> sit amet, consectetur adipiscing elit. ".repeat(8)}</p>`;
const article = `<div class="article"><h2><a href="#a">Shipping news</a></h2>${paragraph}<table>${row.repeat(4)}</table></div>`;
const ordinary = `<!doctype html><title>Papers</title><div id="page"><div id="main">${article.repeat(97)}</div></div>`;
const nested = `${"<div>x".repeat(2000)}${"word ".repeat(15_000)}`;
const flat = `<body>${"<i></i>".repeat(14_000)}`;

const lowerCase = 'translate(., "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")';

const tables: Record<string, { source: string; expressions: string[] }> = {
  typical: {
    source: ordinary,
    expressions: [
      '//p[@class="error"]',
      '//a[@href="#intro"]/h1/span',
      '//h1/span[text()[contains(.,"boost")]]',
      "count(//table/tbody/tr) = 0",
      '//div[contains(concat(" ", @class, " "), " missing ")]',
      '//h2[normalize-space(.) = "Page not found"]',
      `//p[contains(${lowerCase}, "page not found")]`,
      '//*[contains(., "page not found")]',
    ],
  },
  "hostile, ordinary": {
    source: ordinary,
    expressions: [
      `//*[contains(${lowerCase}, "page not found")]`,
      "//p[. = //a/@href]",
      "//p[.=//a/@href]/following::*[.=//i]",
      "//*[preceding::*]/following::b",
      "//*//*//*//*",
      "//* < //*",
    ],
  },
  "hostile, nested": {
    source: nested,
    expressions: ["//*[string-length(.) = 3]", `//*[translate(/, "word", "") = "q"]`, "//*[. = /]/nothing"],
  },
  "hostile, flat": {
    source: flat,
    expressions: [
      "//i/preceding::i",
      "//i[following-sibling::i = 'x']",
      "//i[count(//i) > 1]",
      `translate(concat(${Array(900).fill("/").join(",")}), "a", "b")`,
    ],
  },
};

function elapsedMs(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function described(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? 0;
  return `quickest ${(sorted[0] ?? 0).toFixed(1)} ms, median ${median.toFixed(1)} ms`;
}

function outcomeOf(expression: string, page: PageTree): string {
  try {
    return compileXPath(expression).find(page) === undefined ? "no hit" : "hit";
  } catch (error) {
    if (error instanceof PageTooLarge) return "given up";
    throw error;
  }
}

const reading = { parse5: [] as number[], table: [] as number[] };
for (let round = 0; round < rounds; round++) {
  reading.parse5.push(elapsedMs(() => parse(ordinary, { scriptingEnabled: false })));
  reading.table.push(elapsedMs(() => readHtml(ordinary)));
}
console.log(`ordinary page of ${ordinary.length} bytes`);
console.log(`  parse5 alone: ${described(reading.parse5)}`);
console.log(`  parse5 and our table of nodes: ${described(reading.table)}`);

for (const [name, { source, expressions }] of Object.entries(tables)) {
  const page = readHtml(source);
  const times = new Map(expressions.map((expression) => [expression, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [expression, of] of times) of.push(elapsedMs(() => outcomeOf(expression, page)));
  }
  console.log(`\n${name}: ${source.length} bytes, ${page.kinds.length} nodes`);
  for (const [expression, of] of times) {
    console.log(`  ${described(of)}  ${outcomeOf(expression, page)}  ${expression.slice(0, 90)}`);
  }
}
