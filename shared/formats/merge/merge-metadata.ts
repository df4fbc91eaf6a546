import { isAboutTitle, tidyAbstract } from "../abstracts.ts";
import { chooseDate } from "../article-dates.ts";
import {
  type ArticleMetadata,
  type LocalizedText,
  type MetadataCreator,
  type TextField,
  textFields,
} from "../article-metadata.ts";
import { normalizeForComparison } from "../comparable-text.ts";
import { fullName } from "../creator-names.ts";
import { maxCreators } from "../limits.ts";
import { formatPageRange } from "../page-range.ts";
import type { ZoteroItem } from "../zotero-item.ts";
import { isFreeLicence } from "./free-licence.ts";
import { writeNotes } from "./write-notes.ts";

/**
 * The vocabularies in order of trust, as in Zotero's unAPI and Embedded Metadata translators. Each field is taken from the
 * first vocabulary that has it; creators, keywords and rights as whole lists; abstracts from all.
 *
 * | vocabulary  | trusted for | because |
 * |-------------|--------------|---------|
 * | override    | everything | what recipes read of fields that they override, because the site's metadata are wrong |
 * | unapi       | everything | the site's own record of the article, made for reference managers |
 * | highwire    | everything | made for Google Scholar; a journal that gets it wrong is not found |
 * | prism       | volume, issue, pages, dates | made by publishers for single articles |
 * | eprints     | everything | the repository's own fields |
 * | recipe      | what meta tags lack | what the page shows its readers, read by recipes, see page/recipes/ |
 * | mods, ris, bibtex | everything | files that the page links to, made for reference managers as well, often from less |
 * | dublin-core | titles, creators, abstracts, rights | exact in OJS, loose in DSpace, where `source` may hold anything |
 * | oai-dc      | what is missing | Dublin Core of an unAPI server, simpler than a page's |
 * | coins       | what is missing | only a span of the page's own work, see coins.ts |
 * | json-ld     | what is missing | made for search engines, with headlines and authors of the web site |
 * | open-graph  | what is missing | made for link previews |
 * | html        | what is missing | a title with the site's name; but its canonical link before any other URL |
 */
export const vocabularies = [
  "override",
  "unapi",
  "highwire",
  "prism",
  "eprints",
  "recipe",
  "mods",
  "ris",
  "bibtex",
  "dublin-core",
  "oai-dc",
  "coins",
  "json-ld",
  "open-graph",
  "html",
] as const;

export type Vocabulary = (typeof vocabularies)[number];

export type MetadataByVocabulary = Partial<Record<Vocabulary, ArticleMetadata | undefined>>;

type Texts = Partial<Record<TextField, string>>;

/** Sorts metadata by trust, the most trusted first. */
export function rankByTrust(statements: MetadataByVocabulary): ArticleMetadata[] {
  return vocabularies.map((vocabulary) => statements[vocabulary]).filter((found) => found !== undefined);
}

/** Merges the metadata of one page into an item. The URL is omitted, because it also depends on the page's own URL. */
export function mergeMetadata(statements: MetadataByVocabulary): ZoteroItem {
  const ranked = rankByTrust(statements);
  const firstList = <T>(list: (statement: ArticleMetadata) => T[] | undefined): T[] =>
    ranked.map(list).find((found) => found !== undefined && found.length > 0) ?? [];

  const texts: Texts = {};
  for (const field of textFields) {
    const text = ranked.find((statement) => statement[field] !== undefined)?.[field];
    if (text !== undefined && field !== "url") texts[field] = text;
  }
  const itemType = decideItemType(ranked, texts);
  const publicationTitle = chooseJournal(statements, itemType);
  if (publicationTitle !== undefined) texts.publicationTitle = publicationTitle;
  else delete texts.publicationTitle;
  const { date } = chooseDate(ranked);
  if (date !== undefined) texts.date = date;
  if (texts.pages !== undefined) texts.pages = formatPageRange(texts.pages, undefined) ?? texts.pages;
  if (texts.title !== undefined) texts.title = removeSiteName(texts.title, ranked);
  const creators = chooseCreators(ranked, statements.highwire).slice(0, maxCreators);
  const keywords = firstList((statement) => statement.keywords);
  const rights = firstList((statement) => statement.rights);
  const [abstract, ...otherAbstracts] = orderAbstracts(ranked, texts.language);
  const abstractNote =
    abstract?.text ??
    ranked
      .map(({ description }) => description)
      .find((text) => isOfArticle(text, { creators, title: texts.title }));
  const notes = writeNotes({
    creators: addOrcids(ranked, creators),
    otherAbstracts,
    otherTitles: firstList((statement) => statement.alternativeTitles).filter(
      (title) => title !== texts.title,
    ),
    articleNumber: findArticleNumber(texts),
    isFree: ranked.some((statement) => statement.rights?.some(isFreeLicence)),
  });

  return {
    itemType,
    ...texts,
    creators: creators.map(({ orcid: _orcid, ...creator }) => creator),
    ...(abstractNote && { abstractNote }),
    ...(rights.length > 0 && { rights: rights.join("; ") }),
    tags: keywords.map((tag) => ({ tag, type: 1 })),
    notes,
  };
}

/** Returns the pages if they are the number of an article: e4886, or the end of its DOI (10.1103/RevModPhys.94.045004). */
function findArticleNumber({ pages = "", DOI = "" }: Texts): string | undefined {
  const isNumber = /^e\d{3,}$/i.test(pages) || (/^\d{5,}$/.test(pages) && DOI.endsWith(`.${pages}`));
  return isNumber ? pages : undefined;
}

/** Working papers and theses are in no journal. */
const notInJournals: ReadonlySet<string> = new Set(["report", "thesis", "manuscript"]);

/** The vocabularies whose journal is never the publisher or the site. */
const journalVocabularies: ReadonlySet<Vocabulary> = new Set([
  "override",
  "unapi",
  "highwire",
  "prism",
  "eprints",
]);

/** Chooses the title of the journal. A publisher or site that other vocabularies name instead is skipped. */
function chooseJournal(statements: MetadataByVocabulary, itemType: string): string | undefined {
  if (notInJournals.has(itemType)) return undefined;
  const publishers = new Set(
    Object.values(statements).map((statement) => normalizeForComparison(statement?.publisher ?? "")),
  );
  const isJournal = (vocabulary: Vocabulary, title: string) =>
    itemType !== "journalArticle" ||
    journalVocabularies.has(vocabulary) ||
    !publishers.has(normalizeForComparison(title));
  return vocabularies
    .map((vocabulary) => [vocabulary, statements[vocabulary]?.publicationTitle] as const)
    .find(([vocabulary, title]) => title !== undefined && isJournal(vocabulary, title))?.[1];
}

/**
 * Chooses the first list of creators. If the Highwire tags have only editors, the authors of the next list are added.
 */
function chooseCreators(ranked: ArticleMetadata[], highwire: ArticleMetadata | undefined): MetadataCreator[] {
  const lists = ranked.map(({ creators = [] }) => creators).filter((creators) => creators.length > 0);
  const [first = [], ...others] = lists;
  if (first !== highwire?.creators || first.some(({ creatorType }) => creatorType !== "editor")) return first;
  const names = new Set(first.map((creator) => fullName(creator).toLowerCase()));
  const authors = (others[0] ?? []).filter(
    (creator) => creator.creatorType === "author" && !names.has(fullName(creator).toLowerCase()),
  );
  return [...authors, ...first];
}

/**
 * Decides the item type. A stated type takes precedence over an inferred one. An unspecified article with a volume,
 * issue or ISSN is a journal article.
 */
function decideItemType(ranked: ArticleMetadata[], texts: Texts): string {
  const stated = ranked.find((statement) => statement.itemType !== undefined)?.itemType;
  const type =
    stated ?? ranked.find((statement) => statement.likelyType !== undefined)?.likelyType ?? "webpage";
  if (type !== "article") return type;
  if (texts.volume !== undefined || texts.issue !== undefined || texts.ISSN !== undefined)
    return "journalArticle";
  return ranked.find((statement) => statement.articleType !== undefined)?.articleType ?? "magazineArticle";
}

/**
 * Returns the distinct abstracts, the one in the article's language first. Of truncated copies, only the complete text
 * is kept.
 */
function orderAbstracts(ranked: ArticleMetadata[], language: string | undefined): LocalizedText[] {
  const byBeginning = new Map<string, LocalizedText>();
  const stated = ranked.flatMap((statement) => statement.abstracts ?? []);
  for (const { text: given, ...rest } of stated) {
    const text = tidyAbstract(given);
    if (text === undefined) continue;
    const passage = { ...rest, text };
    const beginning = normalizeForComparison(text.replace(/^abstract\b/i, "")).slice(0, 40);
    const known = byBeginning.get(beginning);
    if (known === undefined) byBeginning.set(beginning, passage);
    else if (isTruncatedCopy(known.text, passage.text))
      byBeginning.set(beginning, { ...known, text: passage.text });
  }
  const distinct = [...byBeginning.values()];
  const primary = (tag: string | undefined) => tag?.toLowerCase().split(/[-_]/)[0];
  const main = distinct.find(
    (passage) => language !== undefined && primary(passage.language) === primary(language),
  );
  return main === undefined ? distinct : [main, ...distinct.filter((passage) => passage !== main)];
}

/**
 * Decides whether the first text is a truncated copy of the second one, which ends in an ellipsis or within a sentence.
 */
function isTruncatedCopy(text: string, whole: string): boolean {
  const [cut, longer] = [text.replace(/\s*(?:…|\.{3})$/, ""), whole].map(normalizeForComparison) as [
    string,
    string,
  ];
  const isCut = /(?:…|\.{3})$/.test(text) || !/[.!?:;)\]"”’]$/.test(text);
  return isCut && cut.length < longer.length && longer.startsWith(cut);
}

/** Decides whether a description is neither a heading, nor a citation, nor that of the site. */
function isOfArticle(
  description: string | undefined,
  { creators, title = "" }: { creators: readonly MetadataCreator[]; title: string | undefined },
): boolean {
  return (
    description !== undefined &&
    tidyAbstract(description) !== undefined &&
    isAboutTitle(description, title) &&
    !isCitation(description, creators)
  );
}

/**
 * Decides whether a description is the citation of the article instead of an abstract. A citation begins with the
 * article's authors.
 */
function isCitation(description: string, creators: readonly MetadataCreator[]): boolean {
  const surnames = creators.slice(0, 2).map(({ lastName, name }) => lastName ?? name ?? "");
  const beginning = description.slice(0, 100);
  return surnames.length > 0 && surnames.every((surname) => surname !== "" && beginning.includes(surname));
}

/** Adds the ORCID iDs that any vocabulary has for a creator with the same name. */
function addOrcids(ranked: ArticleMetadata[], creators: MetadataCreator[]): MetadataCreator[] {
  const key = ({ firstName, lastName, name }: MetadataCreator) =>
    `${firstName}|${lastName}|${name}`.toLowerCase();
  const orcids = new Map(
    ranked
      .toReversed()
      .flatMap((statement) => statement.creators ?? [])
      .flatMap((creator) => (creator.orcid === undefined ? [] : [[key(creator), creator.orcid] as const])),
  );
  return creators.map((creator) => {
    const orcid = orcids.get(key(creator));
    return orcid === undefined ? creator : { ...creator, orcid };
  });
}

/** Shortens "Title | Site" to "Title", as Zotero does, if a vocabulary has the name of the site or journal. */
function removeSiteName(title: string, ranked: ArticleMetadata[]): string {
  for (const { publicationTitle: name } of ranked) {
    if (name === undefined || !title.toLowerCase().endsWith(name.toLowerCase())) continue;
    const rest = title.slice(0, -name.length).trimEnd();
    if (/[-–—=_:|~#]$/.test(rest)) return rest.slice(0, -1).trimEnd() || title;
  }
  return title;
}
