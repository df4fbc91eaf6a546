import { firstDoi } from "../doi.ts";
import { creatorsOf } from "./creator-names.ts";
import { statedDate } from "./dates.ts";
import { normalizeIssns, pageRange } from "./identifiers.ts";
import { afterPrefix, MetaValues } from "./meta-values.ts";
import type { Meta } from "./parts.ts";
import type { Statement } from "./statement.ts";

const TYPES = new Map([
  ["journal", "journalArticle"],
  ["magazine", "magazineArticle"],
  ["newspaper", "newspaperArticle"],
  ["newsletter", "newspaperArticle"],
  ["book", "bookSection"],
]);

/**
 * What PRISM says in meta tags: where and when an article appeared. Titles and authors stand in Dublin Core beside it.
 * @see https://www.w3.org/Submission/2020/SUBM-prism-20200910/
 */
export function readPrism(metas: readonly Meta[]): Statement | undefined {
  const values = new MetaValues(metas, afterPrefix("prism"));
  if (values.isEmpty) return undefined;

  return {
    itemType: TYPES.get(values.text("aggregationtype")?.toLowerCase() ?? ""),
    likelyType: values.text("issn", "eissn", "volume") && "journalArticle",
    title: values.text("title"),
    creators: creatorsOf(values.all("author")),
    ...statedDate(values.texts("publicationdate", "coverdate", "coverdisplaydate")),
    publicationTitle: values.text("publicationname"),
    volume: values.text("volume"),
    issue: values.text("number", "issueidentifier"),
    pages: values.text("pagerange") ?? pageRange(values.text("startingpage"), values.text("endingpage")),
    DOI: firstDoi([values.text("doi")]),
    ISSN: normalizeIssns(values.underFirst("issn", "eissn")),
    url: values.text("url"),
    keywords: values.keywords("keyword"),
    rights: values.texts("copyright"),
  };
}
