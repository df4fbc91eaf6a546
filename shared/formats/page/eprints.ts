import { findFirstDoi } from "../../identifiers/doi.ts";
import { normalizeIsbns } from "../../identifiers/isbn.ts";
import { normalizeIssns } from "../../identifiers/issn.ts";
import { chooseStatedDate } from "../article-dates.ts";
import type { ArticleMetadata } from "../article-metadata.ts";
import { parseCreators, withOrcid } from "../creator-names.ts";
import { MetaValues, stripPrefix } from "./meta-values.ts";
import type { Meta } from "./page-parts.ts";

const itemTypes = new Map([
  ["article", "journalArticle"],
  ["book_section", "bookSection"],
  ["book", "book"],
  ["conference_item", "conferencePaper"],
  ["confpaper", "conferencePaper"],
  ["monograph", "report"],
  ["techreport", "report"],
  ["thesis", "thesis"],
]);

/**
 * Reads the meta tags of the repository software EPrints.
 * @see https://wiki.eprints.org/
 */
export function readEprints(metas: readonly Meta[]): ArticleMetadata | undefined {
  const values = new MetaValues(metas, stripPrefix("eprints", "eprint"));
  if (values.isEmpty) return undefined;

  const creators = parseCreators(values.all("creators_name"));
  const orcids = values.all("creators_orcid");
  // Missing ORCID iDs are omitted, so if there are fewer iDs than names, the iDs cannot be assigned.
  const arePaired = orcids.length === creators.length;
  return {
    itemType: itemTypes.get(values.text("type") ?? ""),
    title: values.text("title"),
    creators: [
      ...creators.map((creator, i) => (arePaired ? withOrcid(creator, [orcids[i]]) : creator)),
      ...parseCreators(values.all("editors_name"), "editor"),
    ],
    ...chooseStatedDate(values.texts("date")),
    publicationTitle: values.text("publication", "book_title"),
    conferenceName: values.text("event_title"),
    volume: values.text("volume"),
    issue: values.text("number"),
    pages: values.text("pagerange"),
    DOI: findFirstDoi(values.all("doi", "id_number", "official_url")),
    ISSN: normalizeIssns(values.all("issn")),
    ISBN: normalizeIsbns(values.all("isbn")),
    language: values.text("language"),
    publisher: values.text("publisher"),
    university: values.text("type") === "thesis" ? values.text("institution") : undefined,
    institution: values.text("type") === "thesis" ? undefined : values.text("institution"),
    abstracts: values.localizedTexts("abstract"),
    keywords: values.keywords("keywords"),
  };
}
