import { findFirstDoi } from "../../../identifiers/doi.ts";
import { parseCreators } from "../../creator-names.ts";
import { formatPageRange } from "../../page-range.ts";
import { parseIssueStatement } from "./issue-statement.ts";
import { hasClass, type PassageSelectors } from "./passages.ts";
import type { Platform } from "./platform.ts";

/** A citation in APA style, which the citation plugin shows first: "Journal, 12(3), 45–67." */
const apaCitation = /,\s(?:\d+\s?)?\((\d[^()]*)\),\s([A-Z]?\d+(?:[-–][A-Z]?\d+)?)\.?(?:\s|$)/i;
const apaPages = /,\s\d+(?:\([^()]*\))?,\s([A-Z]?\d+(?:[-–][A-Z]?\d+)?)\.?(?:\s|$)/i;

/**
 * Reads pages of Open Journal Systems 3 without the plugins for meta tags, in its default theme and in themes that are
 * based on it.
 * @see https://docs.pkp.sfu.ca/pkp-theming-guide/en/html-smarty
 */
export const ojs: Platform = {
  isMadeBy: ({ metas }) =>
    metas.some(({ name, content }) => name === "generator" && /^Open Journal Systems 3/i.test(content)),
  passages: {
    article: hasClass("obj_article_details"),
    title: inside("article", "page_title"),
    authors: inside("article", "authors"),
    author: inside("authors", "name"),
    issue: inside("article", "item", "issue"),
    issueTitle: inside("issue", "title"),
    breadcrumbs: hasClass("cmp_breadcrumbs"),
    doi: inside("article", "doi"),
    abstract: inside("article", "item", "abstract"),
    abstractLabel: inside("abstract", "label"),
    citation: inside("article", "csl-entry"),
  },
  read(passages) {
    if (passages("article").length === 0) return undefined;
    const lines = ["issueTitle", "issue", "breadcrumbs"].map((name) => passages(name)[0]);
    const statements = lines.filter((line) => line !== undefined).map(parseIssueStatement);
    const { date: volumeDate, ...issue } = statements.find(({ volume, issue }) => volume ?? issue) ?? {};
    const [citation = ""] = passages("citation");
    const [pages] = [apaCitation.exec(citation)?.[2], apaPages.exec(citation)?.[1]].filter(Boolean);
    const [label = ""] = passages("abstractLabel");
    const abstracts = passages("abstract").map((text) => ({
      text: text.startsWith(label) ? text.slice(label.length).trim() : text,
    }));
    return {
      likelyType: "journalArticle",
      title: passages("title")[0],
      creators: parseCreators(passages("author")),
      ...issue,
      volumeDate,
      pages: formatPageRange(pages, undefined),
      DOI: findFirstDoi(passages("doi")),
      abstracts: abstracts.filter(({ text }) => text !== ""),
    };
  },
};

/** Selects elements with all of these classes, within a passage. */
function inside(passage: string, ...names: string[]): PassageSelectors[string] {
  return ({ classes }, within) => within.has(passage) && names.every((name) => classes.has(name));
}
