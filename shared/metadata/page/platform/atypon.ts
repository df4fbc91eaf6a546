import type { ArticleMetadata } from "../../article-metadata.ts";
import { formatPageRange } from "../../page-range.ts";
import { attributeOf, hasWord, type PageElement } from "../elements.ts";
import { isHostOf } from "./host-family.ts";
import { parseIssueStatement } from "./issue-statement.ts";
import type { PassageSelectors } from "./passages.ts";
import type { Platform } from "./platform.ts";

/** Publishers on Atypon's Literatum; others are recognised by its meta tag. */
const publishers = [
  "tandfonline.com",
  "pubs.acs.org",
  "annualreviews.org",
  "journals.sagepub.com",
  "journals.uchicago.edu",
  "onlinelibrary.wiley.com",
  "science.org",
  "pnas.org",
  "nejm.org",
  "liebertpub.com",
  "worldscientific.com",
];

/** The facts that RDFa marks in the citation of newer designs. */
const properties = ["volumeNumber", "issueNumber", "pageStart", "pageEnd", "datePublished"] as const;

const hasClass =
  (...words: string[]) =>
  (element: PageElement) =>
    words.some((word) => hasWord(element, "class", word));

const selfCitation: PassageSelectors = {
  selfCitation: hasClass("core-self-citation", "core-enumeration"),
  ...Object.fromEntries(
    properties.map((name) => [
      name,
      (element: PageElement, within: ReadonlySet<string>) =>
        within.has("selfCitation") && attributeOf(element, "property") === name,
    ]),
  ),
};

/** What the citation lines of Taylor & Francis, ACS and Annual Reviews name in spans of their own. */
const citationLines: PassageSelectors = {
  journal: hasClass("journal-heading"),
  periodical: (element, within) => within.has("selfCitation") && attributeOf(element, "property") === "name",
  header: hasClass("title-container", "publicationContentTitle", "article-header", "journal-info"),
  issueLine: (element, within) =>
    hasClass("issue-heading", "journal-issue")(element) ||
    (within.has("header") && ["h2", "p"].includes(element.name)),
  volume: hasClass("cit-fg-volume", "cit-volume"),
  issue: hasClass("cit-fg-issue", "cit-issue"),
  year: hasClass("cit-fg-year", "cit-year-info"),
  pages: hasClass("cit-fg-pageRange", "cit-pageRange", "contentItemPageRange"),
};

const abstracts: PassageSelectors = {
  paragraph: hasClass("articleBody_abstractText"),
  inFull: hasClass("abstractInFull"),
  section: (element) =>
    element.name === "section" &&
    (attributeOf(element, "id") === "abstract" || attributeOf(element, "role") === "doc-abstract"),
  field: hasClass("hlFld-Abstract"),
};

/** The citation lines and abstracts of publishers on Atypon's Literatum, whose Dublin Core has neither volume nor issue. */
export const atypon: Platform = {
  isMadeBy: ({ hosts, metas }) =>
    isHostOf(hosts, publishers) || metas.some(({ name }) => name === "pbcontext"),
  passages: { ...selfCitation, ...citationLines, ...abstracts },
  read(passages) {
    const first = (name: string) => passages(name)[0]?.replace(/^[,;\s]+|[,;\s]+$/g, "") || undefined;
    const statements = [...passages("issueLine"), ...passages("header")].map(parseIssueStatement);
    const stated = statements.find(({ volume, issue }) => volume ?? issue) ?? {};
    const [pages] = [first("pages"), stated.pages].filter((text) => text !== undefined);
    const facts: ArticleMetadata = {
      publicationTitle: first("periodical") ?? first("journal"),
      volume: first("volumeNumber") ?? first("volume") ?? stated.volume,
      issue: first("issueNumber") ?? first("issue") ?? stated.issue,
      date: first("datePublished") ?? first("year") ?? stated.date,
      pages:
        formatPageRange(first("pageStart"), first("pageEnd")) ??
        formatPageRange(pages?.replace(/^(?:pages?|pp?\.|article:?)\s*/i, ""), undefined),
    };
    const [texts = []] = Object.keys(abstracts)
      .map(passages)
      .filter((found) => found.length > 0);
    const isArticle = facts.volume !== undefined || facts.issue !== undefined;
    return {
      ...(isArticle && facts),
      likelyType: isArticle ? "journalArticle" : undefined,
      abstracts: texts.map((text) => ({ text: text.replace(/^(?:abstract|summary)[\s.:]+/i, "") })),
    };
  },
};
