import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPageItem } from "../../../../shared/formats/page/read-page.ts";
import type { ZoteroItem } from "../../../../shared/formats/zotero-item.ts";
import { isErrorTitle } from "../../../../shared/harvest/article/page-plausibility.ts";
import { doiKey } from "../../../../shared/identifiers/doi.ts";
import { openCorpus } from "../../../corpus.ts";
import { type PageTruth, pageTruths } from "./page-truth.ts";

const corpus = openCorpus("pages");

/** Returns the item of a saved page; undefined for a page that is not an article. */
function readSaved(name: string): ZoteroItem | undefined {
  const reading = readPageItem(corpus.bytes(`${name}.html`), {
    contentType: "text/html",
    url: "http://127.0.0.1/saved",
  });
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
  issue: (item, truth) => ({ given: item?.issue, right: truth?.issue }),
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

/** Rows of a table: field, precision (right of those read), recall (right of those on the pages). */
function measure(): string[] {
  const pages = Object.entries(pageTruths).map(([name, truth]) => ({ item: readSaved(name), truth }));
  return Object.entries(fields).map(([field, compare]) => {
    const compared = pages.map(({ item, truth }) => compare(item, truth));
    const count = (wanted: (one: Compared) => boolean) => compared.filter(wanted).length;
    const right = count(({ given, right }) => given !== undefined && given === right);
    const read = count(({ given }) => given !== undefined && given !== "");
    return `| ${field} | ${right} of ${read} | ${right} of ${count(({ right }) => right !== undefined)} |`;
  });
}

describe.skipIf(corpus.isAbsent)("the quality of what pages say (skipped where the corpus is absent)", () => {
  it("every saved page → its truth is in the table", () => {
    const names = corpus.filesIn().flatMap((file) => (file.endsWith(".html") ? [file.slice(0, -5)] : []));
    expect(Object.keys(pageTruths).toSorted()).toEqual(names.toSorted());
  });

  it("precision and recall of each field → as documented", () => {
    const documentation = readFileSync(
      new URL("../../../../docs/metadata-quality.md", import.meta.url),
      "utf8",
    );
    const measured = measure();
    console.info(["| field | precision | recall |", ...measured].join("\n"));
    const documented = documentation
      .split("\n")
      .filter((line) => /^\|.* of \d/.test(line))
      .map((line) => line.replace(/^(\|[^|]+\|[^|]+\|[^|]+\|).*$/, "$1").replace(/ +/g, " "));
    expect(measured).toEqual(documented);
  });
});
