import { describe, expect, it } from "vitest";
import { readPageItem } from "../../../../shared/formats/page/read-page.ts";
import { isErrorTitle } from "../../../../shared/harvest/article/page-plausibility.ts";
import { doiKey } from "../../../../shared/identifiers/doi.ts";
import { openCorpus } from "../../../corpus.ts";

const corpus = openCorpus("pages");
const names = corpus.isAbsent
  ? []
  : corpus.filesIn().flatMap((file) => (file.endsWith(".html") ? [file.slice(0, -".html".length)] : []));

/** What another reader found; its abstracts are sometimes cut. */
interface Findings {
  title?: string;
  author_list?: { family: string }[];
  publication_date?: string;
  date?: string;
  year?: string | number;
  doi?: string;
  volume?: string;
  issue?: string;
  firstpage?: string;
  lastpage?: string;
  abstract?: string;
}

function read(name: string) {
  const reading = readPageItem(corpus.bytes(`${name}.html`), {
    contentType: "text/html",
    url: "http://127.0.0.1/saved",
  });
  if (reading.type !== "item") throw new Error(`${name}: ${reading.reason}`);
  const findings: Findings = JSON.parse(corpus.text(`${name}.expected.json`));
  return { ...reading, name, findings };
}

const letters = (text = "") => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const yearIn = (text: string | undefined) => /\d{4}/.exec(text ?? "")?.[0];

/** Whether a field agrees with the other reader's; undefined when that has none. */
const comparisons: Record<string, (page: ReturnType<typeof read>) => boolean | undefined> = {
  title: ({ item, findings }) => letters(item.title) === letters(findings.title),
  creators: ({ item, findings }) =>
    letters(item.creators?.map(({ lastName, name }) => lastName ?? name).join("")) ===
    letters(findings.author_list?.map(({ family }) => family).join("")),
  year: ({ item, findings: { year, publication_date, date } }) => {
    const expected = yearIn(publication_date) ?? yearIn(String(year ?? "")) ?? yearIn(date);
    return expected === undefined ? undefined : yearIn(item.date) === expected;
  },
  doi: ({ item, findings: { doi } }) => (doi ? doiKey(item.DOI ?? "") === doiKey(doi) : undefined),
  volume: ({ item, findings: { volume } }) => (volume ? item.volume === volume : undefined),
  issue: ({ item, findings: { issue } }) => (issue ? item.issue === issue : undefined),
  pages: ({ item, findings: { firstpage, lastpage } }) =>
    firstpage ? item.pages === [firstpage, lastpage].filter(Boolean).join("-") : undefined,
  // On the page of APS, the other reader found the teaser before the abstract.
  abstract: ({ item, name, findings: { abstract } }) =>
    abstract && name !== "APS_RevModPhys.94.045004"
      ? letters(item.abstractNote).startsWith(letters(abstract))
      : undefined,
};

describe.skipIf(corpus.isAbsent)("saved pages of publishers (skipped where the corpus is absent)", () => {
  const walls = names.filter((name) => isErrorTitle(read(name)));
  const articles = names.filter((name) => !walls.includes(name));

  it("bot walls that answer 200 → no articles", () => {
    expect(walls).toEqual([
      "ACS_jp003647e",
      "APS_PhysRevLett.122.145901",
      "AnnualReview_annurev_conmatphys_031214_014726",
      "TFOnline_00268976.2013.788745",
    ]);
    for (const name of walls) expect(read(name).item).toMatchObject({ itemType: "webpage" });
  });

  it.for(Object.keys(comparisons))("%s → as another reader found it", (field) => {
    const judged = articles.map((name) => [name, comparisons[field]?.(read(name))]);
    expect(judged.filter(([, agrees]) => agrees === false)).toEqual([]);
  });

  it("free licences → noted", () => {
    const free = articles.filter((name) => read(name).item.notes?.some(({ note }) => note === "LF:"));
    expect(free).toEqual(["ACL_N04-1001", "Fallback_peerj", "ScienceDirect_S146290112300117X"]);
  });

  it("a page whose description is its citation → no abstract", () => {
    expect(read("ACL_N04-1001").item.abstractNote).toBeUndefined();
  });

  it("one keyword with a comma → whole", () => {
    expect(read("SpringerLink_BF02727953").item.tags).toMatchObject([{ tag: "Physics, general" }]);
  });
});
