import { findFirstDoi } from "../../identifiers/doi.ts";
import { normalizeIssns } from "../../identifiers/issn.ts";
import { chooseStatedDate } from "../article-dates.ts";
import type { ArticleMetadata } from "../article-metadata.ts";
import { parseCreators } from "../creator-names.ts";
import { formatPageRange } from "../page-range.ts";
import { MetaValues, stripPrefix } from "./meta-values.ts";
import type { Meta } from "./page-parts.ts";

const itemTypes = new Map([
  ["journal", "journalArticle"],
  ["magazine", "magazineArticle"],
  ["newspaper", "newspaperArticle"],
  ["newsletter", "newspaperArticle"],
  ["book", "bookSection"],
]);

/**
 * Reads PRISM meta tags, which state where and when an article appeared. Pages have title and authors in Dublin Core.
 * @see https://www.w3.org/Submission/2020/SUBM-prism-20200910/
 */
export function readPrism(metas: readonly Meta[]): ArticleMetadata | undefined {
  const values = new MetaValues(metas, stripPrefix("prism"));
  if (values.isEmpty) return undefined;

  return {
    itemType: itemTypes.get(values.text("aggregationtype")?.toLowerCase() ?? ""),
    likelyType: values.text("issn", "eissn", "volume") && "journalArticle",
    title: values.text("title"),
    creators: parseCreators(values.all("author")),
    ...chooseStatedDate(values.texts("publicationdate", "coverdate", "coverdisplaydate")),
    publicationTitle: values.text("publicationname"),
    volume: values.text("volume"),
    issue: values.text("number", "issueidentifier"),
    pages:
      values.text("pagerange") ?? formatPageRange(values.text("startingpage"), values.text("endingpage")),
    DOI: findFirstDoi([values.text("doi")]),
    ISSN: normalizeIssns(values.firstNonEmpty("issn", "eissn")),
    url: values.text("url"),
    keywords: values.singleKeywords("keyword"),
    rights: values.texts("copyright"),
  };
}
