import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPageItem } from "../../../../shared/formats/page/read-page.ts";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { isErrorTitle } from "../../../../shared/harvest/article/page-plausibility.ts";
import { doiKey } from "../../../../shared/identifiers/doi.ts";
import { openCorpus } from "../../../corpus.ts";
import { type GeneratedPage, generatePages, structures } from "./generated-pages.ts";
import { type PageTruth, pageTruths } from "./page-truth.ts";

const corpus = openCorpus("pages");

/** Returns the item of a page; undefined for a page that is not an article. */
function readItem(page: Uint8Array): ZoteroItem | undefined {
  const reading = readPageItem(page, { contentType: "text/html", url: "http://127.0.0.1/saved" });
  return reading.type === "item" && !isErrorTitle(reading) ? reading.item : undefined;
}

type Compared = { given: string | undefined; right: string | undefined };

/** The value that is read and the right one; of an abstract, its ends, because the truth has no more. */
const fields: Record<string, (item: ZoteroItem | undefined, truth: PageTruth | undefined) => Compared> = {
  creators: (item, truth) => ({
    given: item?.creators
      ?.map(({ name, lastName, firstName }) => name ?? `${lastName}, ${firstName}`)
      .join("; "),
    right: truth?.creators,
  }),
  year: (item, truth) => ({ given: /\d{4}/.exec(item?.date ?? "")?.[0], right: truth?.year }),
  volume: (item, truth) => ({ given: item?.volume, right: truth?.volume }),
  issue: (item, truth) => ({ given: item?.issue?.replace("–", "-"), right: truth?.issue?.replace("–", "-") }),
  pages: (item, truth) => ({ given: item?.pages, right: truth?.pages }),
  journal: (item, truth) => ({ given: item?.publicationTitle, right: truth?.journal }),
  DOI: (item, truth) => ({ given: item?.DOI && doiKey(item.DOI), right: truth?.doi && doiKey(truth.doi) }),
  abstract: (item, truth) => {
    const [begin = "", end = ""] = truth?.abstract ?? [];
    const given = item?.abstractNote;
    const isWhole = given?.startsWith(begin) && given.endsWith(end);
    return {
      given: given && (truth?.abstract !== undefined && isWhole ? "whole" : given),
      right: truth?.abstract && "whole",
    };
  },
  "free licence": (item, truth) => ({
    given: item?.notes?.some(({ note }) => note === "LF:") ? "free" : undefined,
    right: truth?.isFree && "free",
  }),
};

interface Measured {
  field: string;
  /** The right ones of those read, of those on the pages. */
  right: number;
  read: number;
  stated: number;
}

function measure(pages: { item: ZoteroItem | undefined; truth: PageTruth | undefined }[]): Measured[] {
  return Object.entries(fields).map(([field, compare]) => {
    const compared = pages.map(({ item, truth }) => compare(item, truth));
    const count = (wanted: (one: Compared) => boolean) => compared.filter(wanted).length;
    return {
      field,
      right: count(({ given, right }) => given !== undefined && given === right),
      read: count(({ given }) => given !== undefined && given !== ""),
      stated: count(({ right }) => right !== undefined),
    };
  });
}

/** Rows of a table: field, precision, recall. */
function rowsOf(measured: readonly Measured[]): string[] {
  const rows = measured.map(
    ({ field, right, read, stated }) => `| ${field} | ${right} of ${read} | ${right} of ${stated} |`,
  );
  console.info(["| field | precision | recall |", ...rows].join("\n"));
  return rows;
}

/** The first three columns of the table below a heading of the documentation. */
function documentedRows(heading: string): string[] {
  const documentation = readFileSync(
    new URL("../../../../docs/metadata-quality.md", import.meta.url),
    "utf8",
  );
  const section = documentation.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  return section
    .split("\n")
    .filter((line) => /^\|.* of \d/.test(line))
    .map((line) => line.replace(/^(\|[^|]+\|[^|]+\|[^|]+\|).*$/, "$1").replace(/ +/g, " "));
}

describe.skipIf(corpus.isAbsent)("the quality of what pages say (skipped where the corpus is absent)", () => {
  it("every saved page → its truth is in the table", () => {
    const names = corpus.filesIn().flatMap((file) => (file.endsWith(".html") ? [file.slice(0, -5)] : []));
    expect(Object.keys(pageTruths).toSorted()).toEqual(names.toSorted());
  });

  it("precision and recall of each field → as documented", () => {
    const pages = Object.entries(pageTruths).map(([name, truth]) => ({
      item: readItem(corpus.bytes(`${name}.html`)),
      truth,
    }));
    expect(rowsOf(measure(pages))).toEqual(documentedRows("Saved pages"));
  });
});

describe("the quality of what generated pages say", () => {
  const read = ({ html, truth }: GeneratedPage) => ({ item: readItem(Buffer.from(html)), truth });

  it("precision and recall of each field → as documented, and not below the goals", () => {
    const measured = measure(generatePages(240, 28).map(read));
    expect(rowsOf(measured)).toEqual(documentedRows("Generated pages"));
    for (const { field, right, read: given, stated } of measured) {
      const goal = goals[field] ?? 1;
      expect(right / given, `precision of ${field}`).toBeGreaterThanOrEqual(goal);
      expect(right / stated, `recall of ${field}`).toBeGreaterThanOrEqual(goal);
    }
  });

  it("pages of other seeds, of each structure → not below the goals either", () => {
    for (const structure of structures) {
      const pages = [1, 2, 3]
        .flatMap((seed) => generatePages(240, seed))
        .filter((page) => page.structure === structure);
      for (const { field, right, read: given, stated } of measure(pages.map(read))) {
        const goal = goals[field] ?? 1;
        expect(right / given, `precision of ${field} in ${structure}`).toBeGreaterThanOrEqual(goal);
        expect(right / stated, `recall of ${field} in ${structure}`).toBeGreaterThanOrEqual(goal);
      }
    }
  });
});

/** The smallest shares of right values. */
const goals: Readonly<Record<string, number>> = {
  creators: 0.99,
  year: 0.99,
  volume: 0.97,
  issue: 0.97,
  pages: 0.97,
  journal: 0.97,
  DOI: 1,
  abstract: 0.95,
  "free licence": 0.9,
};
