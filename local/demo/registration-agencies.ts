import { type Article, articles, journal } from "./articles.ts";
import type { DemoResponse } from "./loopback-server.ts";

/** The paths of the demo's Crossref and DataCite, to which a DOI is appended. */
export const agencyPaths = { crossref: "/crossref/works/", datacite: "/datacite/dois/" } as const;

/** The DOI that only the demo's DataCite knows, and the DOI that an erratum corrects. */
const registeredWithDatacite = "10.5555/lantern.7.3.05";
const corrected = "10.5555/lantern.7.3.03";

/**
 * Answers as Crossref and DataCite do for the articles of the demo.
 * @returns undefined for the path of neither
 * @see https://api.crossref.org/swagger-ui/index.html
 * @see https://support.datacite.org/docs/api-get-doi
 */
export function answerAgency(path: string): DemoResponse | undefined {
  for (const [agency, start] of Object.entries(agencyPaths)) {
    if (!path.startsWith(start)) continue;
    const doi = decodeURIComponent(path.slice(start.length));
    const isDatacite = agency === "datacite";
    const article = articles.find((each) => each.doi === doi);
    if (article === undefined || (doi === registeredWithDatacite) !== isDatacite)
      return { status: 404, headers: { "content-type": "text/plain" }, body: "Resource not found." };
    const body = JSON.stringify(isDatacite ? dataciteAnswer(article) : crossrefAnswer(article));
    const contentType = isDatacite ? "application/vnd.api+json" : "application/json";
    const limit = { "x-rate-limit-limit": "50", "x-rate-limit-interval": "1s" };
    return { status: 200, headers: { "content-type": contentType, ...(!isDatacite && limit) }, body };
  }
  return undefined;
}

function crossrefAnswer({ doi, title, authors, published, language, pages, articleNumber }: Article): object {
  const erratum = { DOI: `${doi}-e`, type: "erratum", updated: { "date-parts": [[2026, 10, 5]] } };
  const message = {
    DOI: doi,
    type: "journal-article",
    title: title === undefined ? [] : [title],
    "container-title": [journal.title],
    volume: journal.volume,
    issue: journal.issue,
    page: pages?.join("-"),
    "article-number": articleNumber,
    ISSN: [journal.issn],
    language,
    author: authors.map(({ orcid, ...names }) => ({
      ...names,
      ...(orcid !== undefined && { ORCID: `https://orcid.org/${orcid}` }),
    })),
    issued: { "date-parts": [published.slice(0, 10).split("-").map(Number)] },
    license: [{ URL: journal.licenceUrl, "content-version": "vor" }],
    ...(doi === corrected && { "updated-by": [erratum] }),
  };
  return { status: "ok", "message-type": "work", message };
}

function dataciteAnswer({ doi, title = "", authors, published, language, pages }: Article): object {
  const [firstPage, lastPage] = pages ?? [];
  const { volume, issue, issn } = journal;
  const attributes = {
    doi,
    titles: [{ title }],
    creators: authors.map(({ given, family }) => ({
      name: `${family}, ${given}`,
      nameType: "Personal",
      givenName: given,
      familyName: family,
    })),
    container: {
      title: journal.title,
      volume,
      issue,
      firstPage,
      lastPage,
      identifier: issn,
      identifierType: "ISSN",
    },
    publicationYear: Number(published.slice(0, 4)),
    dates: [{ date: published.slice(0, 10), dateType: "Issued" }],
    language,
    rightsList: [{ rightsUri: journal.licenceUrl }],
    types: { resourceTypeGeneral: "JournalArticle" },
  };
  return { data: { id: doi, type: "dois", attributes } };
}
