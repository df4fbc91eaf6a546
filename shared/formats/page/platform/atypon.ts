import type { ArticleMetadata } from "../../article-metadata.ts";
import { formatPageRange } from "../../page-range.ts";
import { isHostOf } from "./host-family.ts";
import { parseIssueStatement } from "./issue-statement.ts";
import { hasClass, type PassageSelectors } from "./passages.ts";
import type { Platform } from "./platform.ts";

/** Publishers on Atypon's Literatum. Other publishers are recognised by the platform's meta tag. */
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

/** The properties that RDFa marks in the citations of newer designs. */
const properties = ["volumeNumber", "issueNumber", "pageStart", "pageEnd", "datePublished"] as const;

const isIssueLine = hasClass("issue-heading", "journal-issue");

const selfCitation: PassageSelectors = {
  selfCitation: hasClass("core-self-citation", "core-enumeration"),
  periodical: isProperty("name"),
  ...Object.fromEntries(properties.map((name) => [name, isProperty(name)])),
};

function isProperty(name: string): PassageSelectors[string] {
  return (element, within) => within.has("selfCitation") && element.attribute("property") === name;
}

/** Selects the parts of citation lines that Taylor & Francis, ACS and Annual Reviews write in separate spans. */
const citationLines: PassageSelectors = {
  journal: hasClass("journal-heading"),
  header: hasClass("title-container", "publicationcontenttitle", "article-header", "journal-info"),
  issueLine: (element, within) =>
    isIssueLine(element) || (within.has("header") && (element.name === "h2" || element.name === "p")),
  volume: hasClass("cit-fg-volume", "cit-volume"),
  issue: hasClass("cit-fg-issue", "cit-issue"),
  year: hasClass("cit-fg-year", "cit-year-info"),
  pages: hasClass("cit-fg-pagerange", "cit-pagerange", "contentitempagerange"),
};

/** "Cite This: ACS Comb. Sci. 2016, 18, 1, 1-14": the year of print, volume, issue and pages. */
const citeThis =
  /(?<!\d)((?:1[89]|20)\d\d)[\s,]+(\d+)[\s,]+(\d+(?:[-–]\d+)?)[\s,]+([A-Z]?\d+(?:\s?[-–]\s?[A-Z]?\d+)?)/;

const abstracts: PassageSelectors = {
  paragraph: hasClass("articlebody_abstracttext"),
  inFull: hasClass("abstractinfull"),
  section: (element) =>
    element.name === "section" &&
    (element.attribute("id") === "abstract" || element.attribute("role") === "doc-abstract"),
  field: hasClass("hlfld-abstract"),
};

/**
 * Reads the citation lines and abstracts of publishers on Atypon's Literatum, whose Dublin Core contains neither volume
 * nor issue.
 */
export const atypon: Platform = {
  isMadeBy: ({ hosts, metas }) =>
    isHostOf(hosts, publishers) || metas.some(({ name }) => name === "pbcontext"),
  passages: {
    ...selfCitation,
    ...citationLines,
    ...abstracts,
    citeThis: ({ classes }) => [...classes].some((name) => /cite-?this/.test(name)),
  },
  read(passages) {
    const first = (name: string) => passages(name)[0]?.replace(/^[,;\s]+|[,;\s]+$/g, "") || undefined;
    const statements = [...passages("issueLine"), ...passages("header")].map(parseIssueStatement);
    const [, date, volume, issue, range] =
      passages("citeThis")
        .map((text) => citeThis.exec(text))
        .find(Boolean) ?? [];
    const stated =
      volume === undefined
        ? (statements.find((one) => one.volume ?? one.issue) ?? {})
        : { date, volume, issue, pages: range };
    const [pages] = [first("pages"), stated.pages].filter((text) => text !== undefined);
    const facts: ArticleMetadata = {
      publicationTitle: first("periodical") ?? first("journal"),
      volume: first("volumeNumber") ?? first("volume") ?? stated.volume,
      issue: first("issueNumber") ?? first("issue") ?? stated.issue,
      date: first("datePublished"),
      volumeDate: first("year") ?? stated.date,
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
