import { findFirstDoi } from "../../identifiers/doi.ts";
import { normalizeIsbns } from "../../identifiers/isbn.ts";
import { normalizeIssns } from "../../identifiers/issn.ts";
import { chooseStatedDate } from "../article-dates.ts";
import type { ArticleMetadata, MetadataCreator } from "../article-metadata.ts";
import { fullName, parseCreatorList, parseCreators, withOrcid, withStatedKind } from "../creator-names.ts";
import { maxCreators } from "../limits.ts";
import { formatPageRange } from "../page-range.ts";
import { plainText } from "../plain-text.ts";
import { MetaValues } from "./meta-values.ts";
import type { Meta } from "./page-parts.ts";

/** Item types by tag. The first tag that is present determines the type. */
const itemTypesByTag = [
  ["journal_title", "journalArticle"],
  ["dissertation_institution", "thesis"],
  ["technical_report_institution", "report"],
  ["conference_title", "conferencePaper"],
  ["conference", "conferencePaper"],
  ["inbook_title", "bookSection"],
  ["book_title", "bookSection"],
] as const;

/**
 * Reads the `citation_*` tags for Google Scholar, with or without a prefix such as in `bepress_citation_*`. Tags for
 * institutions and mail addresses of authors are ignored.
 * @see https://scholar.google.com/intl/en/scholar/inclusion.html#indexing
 */
export function readHighwire(metas: readonly Meta[]): ArticleMetadata | undefined {
  const values = new MetaValues(metas, highwireName);
  if (values.isEmpty) return undefined;

  // A working paper is in no journal, even if its page names its series as one.
  const isReport =
    values.text("technical_report_number") !== undefined && values.text("volume") === undefined;
  const type = isReport ? "report" : itemTypesByTag.find(([tag]) => values.text(tag) !== undefined)?.[1];
  return {
    itemType: type,
    likelyType: values.text("isbn") ? "book" : values.text("title", "doi") && "journalArticle",
    title: values.text("title"),
    // The tag is repeated for titles in several languages.
    alternativeTitles: values.texts("title").slice(1),
    creators: [
      ...readAuthors(metas, values),
      ...parseCreators(values.firstNonEmpty("editor", "editors"), "editor"),
    ],
    ...readDate(values),
    publicationTitle: values.text("journal_title", "inbook_title", "book_title"),
    journalAbbreviation: values.text("journal_abbrev"),
    conferenceName: values.text("conference_title", "conference"),
    volume: values.text("volume"),
    issue: values.text("issue"),
    pages: formatPageRange(values.text("firstpage"), values.text("lastpage")) ?? values.text("pages"),
    DOI: findFirstDoi([values.text("doi")]),
    ISSN: normalizeIssns(values.firstNonEmpty("issn", "eissn")),
    ISBN: normalizeIsbns(values.all("isbn")),
    language: values.text("language"),
    url: values.text("public_url", "abstract_html_url", "fulltext_html_url"),
    publisher: values.text("publisher"),
    university: values.text("dissertation_institution"),
    institution: values.text("technical_report_institution"),
    abstracts: values.localizedTexts("abstract"),
    keywords: readKeywords(values),
    rights: values.texts("license", "license_url", "licence", "copyright"),
  };
}

/** Reads keywords. `keywords` contains a list, and `keyword` a single one. */
function readKeywords(values: MetaValues): string[] {
  const listed = values.keywords("keywords");
  return listed.length > 0 ? listed : values.singleKeywords("keyword");
}

function highwireName(name: string): string | undefined {
  return /(?:^|_)citation_(.+)$/.exec(name)?.[1];
}

/**
 * Reads each `author` with the `author_orcid` that follows it. An author who is its own institution is a body. If there is no `author`, the list in `authors` is read.
 */
function readAuthors(metas: readonly Meta[], values: MetaValues): MetadataCreator[] {
  const names = values.all("author");
  if (names.length <= 1)
    return withOnlyOrcid(parseCreators(values.firstNonEmpty("author", "authors")), values);

  const authors: MetadataCreator[] = [];
  for (const { name, content } of metas) {
    const tag = highwireName(name);
    if (tag === "author") authors.push(...parseCreatorList(content));
    const latest = authors.at(-1);
    if (tag === "author_institution" && latest !== undefined && plainText(content) === fullName(latest))
      authors[authors.length - 1] = withStatedKind(latest, "body");
    if (tag === "author_orcid" && latest !== undefined)
      authors[authors.length - 1] = withOrcid(latest, [content]);
    if (authors.length >= maxCreators) break;
  }
  return authors;
}

function withOnlyOrcid(creators: MetadataCreator[], values: MetaValues): MetadataCreator[] {
  const [creator] = creators;
  return creator !== undefined && creators.length === 1
    ? [withOrcid(creator, values.all("author_orcid"))]
    : creators;
}

/** Reads the date of publication and, separately, the date on which the article was put online. */
function readDate(values: MetaValues): Pick<ArticleMetadata, "date" | "onlineDate" | "unreadableDates"> {
  return {
    ...chooseStatedDate(values.texts("date", "cover_date", "publication_date", "year")),
    onlineDate: values.text("online_date"),
  };
}
