import { findFirstDoi } from "../../identifiers/doi.ts";
import { normalizeIsbns } from "../../identifiers/isbn.ts";
import { normalizeIssns } from "../../identifiers/issn.ts";
import type { ArticleMetadata, MetadataCreator } from "../article-metadata.ts";
import { buildPersonCreator, parseCreatorList } from "../creator-names.ts";
import { maxKeywords, maxTextChars } from "../limits.ts";
import { formatPageRange } from "../page-range.ts";
import { plainText, plainTexts } from "../plain-text.ts";

const itemTypes = new Map([
  ["journal:article", "journalArticle"],
  ["journal:preprint", "journalArticle"],
  ["journal:proceeding", "conferencePaper"],
  ["journal:conference", "conferencePaper"],
  ["book:bookitem", "bookSection"],
  ["book:proceeding", "conferencePaper"],
  ["book:conference", "book"],
  ["book:book", "book"],
  ["book:report", "report"],
]);

/** Item types by format, for objects without a genre. */
const itemTypesByFormat = new Map([
  ["journal", "journalArticle"],
  ["book", "book"],
  ["dissertation", "thesis"],
]);

/** Zotero item types that blogs write into `type` of the Dublin Core format (seen at Hypotheses, 2026-11). */
const dublinCoreTypes: ReadonlySet<string> = new Set([
  "blogPost",
  "book",
  "bookSection",
  "conferencePaper",
  "journalArticle",
  "magazineArticle",
  "newspaperArticle",
  "report",
  "thesis",
]);

/**
 * Reads the COinS of a page: OpenURL context objects in the titles of empty spans. A page may also have COinS for works
 * that it cites, so each result is returned separately.
 * @see http://ocoins.info/
 */
export function parseCoins(openUrls: readonly string[]): ArticleMetadata[] {
  return openUrls
    .filter((openUrl) => openUrl.includes("Z39.88-2004") && openUrl.length <= maxTextChars)
    .map(parseContextObject);
}

function parseContextObject(openUrl: string): ArticleMetadata {
  const params = new URLSearchParams(openUrl);
  const text = (...keys: string[]) => {
    for (const key of keys) {
      const value = plainText(params.get(`rft.${key}`) ?? undefined);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const format = params.get("rft_val_fmt")?.split(":").at(-1) ?? "";
  if (format === "dc") return readDublinCoreObject(params, text);
  const isJournal = format === "journal";
  const ids = params.getAll("rft_id");
  return {
    itemType: itemTypes.get(`${format}:${text("genre")}`) ?? itemTypesByFormat.get(format),
    title: isJournal ? text("atitle") : text("atitle", "btitle", "title"),
    creators: readCreators(params),
    date: text("date"),
    publicationTitle: isJournal ? text("jtitle", "title") : text("atitle") && text("btitle", "title"),
    journalAbbreviation: text("stitle"),
    volume: text("volume"),
    issue: text("issue"),
    pages: text("pages") ?? formatPageRange(text("spage"), text("epage")),
    DOI: findFirstDoi(ids.concat(params.getAll("rft.doi"))),
    ISSN: normalizeIssns([params.get("rft.issn") ?? params.get("rft.eissn") ?? undefined]),
    ISBN: normalizeIsbns(params.getAll("rft.isbn")),
    language: text("language"),
    url: ids.find((id) => /^https?:/i.test(id)),
    publisher: text("pub"),
  };
}

/** @see https://www.zotero.org/support/dev/exposing_metadata/coins */
function readDublinCoreObject(
  params: URLSearchParams,
  text: (...keys: string[]) => string | undefined,
): ArticleMetadata {
  const type = text("type");
  const ids = params.getAll("rft.identifier").concat(params.getAll("rft_id"));
  return {
    itemType: type !== undefined && dublinCoreTypes.has(type) ? type : undefined,
    title: text("title"),
    creators: readCreators(params, "creator"),
    date: text("date"),
    publicationTitle: text("source"),
    DOI: findFirstDoi(ids),
    language: text("language"),
    url: ids.find((id) => /^https?:/i.test(id)),
    publisher: text("publisher"),
    abstracts: plainTexts(params.getAll("rft.description")).map((abstract) => ({ text: abstract })),
    keywords: plainTexts(params.getAll("rft.subject")).slice(0, maxKeywords),
    rights: plainTexts(params.getAll("rft.rights")),
  };
}

/**
 * Reads creators. `aulast` and `aufirst` are the first author. `au` may repeat that author as "Last, First", "First
 * Last" or with initials.
 */
function readCreators(params: URLSearchParams, whole = "au"): MetadataCreator[] {
  const last = plainText(params.get("rft.aulast") ?? undefined);
  const first = plainText(params.get("rft.aufirst") ?? params.get("rft.auinit") ?? undefined);
  const named = params.getAll(`rft.${whole}`).flatMap((name) => parseCreatorList(name));
  if (last === undefined) return named;
  const author = buildPersonCreator(first ?? "", last);
  const repeated = named.findIndex((creator) => mayBeSamePerson(creator, author));
  return [author, ...named.filter((_, index) => index !== repeated)];
}

/**
 * Decides whether two names may be those of the same person: the surnames are equal, and the first names have the same
 * initial or are missing.
 */
function mayBeSamePerson(one: MetadataCreator, other: MetadataCreator): boolean {
  const [a = "", b = ""] = [one.firstName?.[0], other.firstName?.[0]];
  const isSurname = (one.lastName ?? one.name) === (other.lastName ?? other.name);
  return isSurname && (a === "" || b === "" || a === b);
}
