import { describe, expect, it } from "vitest";
import { parseOaiPage } from "../../../../shared/formats/oai/parse-page.ts";
import { openCorpus } from "../../../corpus.ts";

const corpus = openCorpus("oai");

interface Row {
  file: string;
  shows: string;
}

/** The rows of the corpus's index: file, size, origin, and what the file shows in the words of its collector. */
function rows(): Row[] {
  return corpus
    .text("INDEX.md")
    .split("\n")
    .map((line) => line.split(" | "))
    .filter(([file = "", , , shows]) => file.endsWith(".xml") && shows !== undefined)
    .map(([file = "", , , ...shows]) => ({ file: file.slice(2), shows: shows.join(" | ") }));
}

const verbs = /\b(Identify|ListMetadataFormats|ListSets|GetRecord|ListIdentifiers|ListRecords)\b/;
/** Documents without an answer of OAI-PMH around them, of which the index lists what they hold. */
const bare = new Set(["clarin_static_repository.xml", "pyoai_fake1_6.xml"]);

describe.skipIf(corpus.isAbsent)("answers of real repositories (skipped where the corpus is absent)", () => {
  it.each(corpus.isAbsent ? [] : rows())("$file: $shows", ({ file, shows }) => {
    const result = parseOaiPage(corpus.bytes(file), { asXml: true });
    if (shows.startsWith("NOT WELL-FORMED")) {
      // What loses nothing is mended: of these, an entity of HTML.
      expect(result.type === "page" ? result.flaw : result.type).toBe(
        shows.includes("undefined entity") ? "the reference &bogus; is not defined" : "malformed",
      );
    } else if (shows.startsWith("other") || bare.has(file)) {
      expect(result.type).toBe("not-oai-pmh");
    } else {
      if (result.type !== "page") throw new Error(result.type);
      const { page } = result;
      const number = (pattern: RegExp) => Number(pattern.exec(shows)?.[1] ?? 0);
      expect({
        verb: page.verb,
        records: page.records.length,
        deleted: page.records.filter(({ isDeleted }) => isDeleted).length,
        error: page.errors[0]?.code,
        token: page.resumptionToken?.value.slice(0, 48) ?? "",
        completeListSize: page.resumptionToken?.completeListSize ?? 0,
      }).toEqual({
        verb: shows.startsWith("error") ? undefined : verbs.exec(shows)?.[1],
        records: number(/(\d+) headers/),
        deleted: number(/(\d+) deleted/),
        error: /error (\w+)/.exec(shows)?.[1],
        token: (/token `([^`]*)`/.exec(shows)?.[1] ?? "").slice(0, 48),
        completeListSize: number(/completeListSize="(\d+)"/),
      });
      const holdsRecords = page.verb === "ListRecords" || page.verb === "GetRecord";
      for (const { isDeleted, metadata } of page.records) {
        if (holdsRecords && !isDeleted) expect(metadata).toMatch(/^<[\s\S]*>$/);
      }
    }
  });
});
