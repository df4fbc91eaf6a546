import * as z from "zod";
import { normalizeOrcid } from "../../identifiers/orcid.ts";
import type { MetadataCreator } from "../article-metadata.ts";
import { buildPersonCreator } from "../creator-names.ts";
import { formatPageRange } from "../page-range.ts";
import {
  buildRegisteredWork,
  lenientList,
  lenientText,
  type Notice,
  type RegisteredWork,
} from "./registered-work.ts";

const texts = lenientList(z.string());

/** A date as year, month and day; the last two may be absent. */
const date = z
  .object({ "date-parts": z.tuple([z.array(z.number().int()).min(1).max(3)]).rest(z.unknown()) })
  .transform(({ "date-parts": [parts] }) =>
    parts.map((part, at) => String(part).padStart(at === 0 ? 4 : 2, "0")).join("-"),
  )
  .optional()
  .catch(undefined);

const contributor = z.object({
  given: lenientText,
  family: lenientText,
  name: lenientText,
  ORCID: lenientText,
});

const update = z.object({ DOI: z.string(), type: z.string(), updated: date });

/** @see https://api.crossref.org/swagger-ui/index.html */
const answer = z.object({
  message: z.object({
    DOI: z.string(),
    type: lenientText,
    title: texts,
    subtitle: texts,
    "container-title": texts,
    volume: lenientText,
    issue: lenientText,
    page: lenientText,
    "article-number": lenientText,
    ISSN: texts,
    language: lenientText,
    abstract: lenientText,
    author: lenientList(contributor),
    editor: lenientList(contributor),
    "published-print": date,
    issued: date,
    "published-online": date,
    license: lenientList(z.object({ URL: z.string(), start: date, "content-version": lenientText })),
    "updated-by": lenientList(update),
    "update-to": lenientList(update),
    relation: z
      .record(z.string(), lenientList(z.object({ id: z.string(), "id-type": z.literal("doi") })))
      .catch({}),
  }),
});

const itemTypes: Readonly<Record<string, string>> = {
  "journal-article": "journalArticle",
  "book-chapter": "bookSection",
  "proceedings-article": "conferencePaper",
  "posted-content": "preprint",
  book: "book",
  monograph: "book",
  "edited-book": "book",
  dissertation: "thesis",
  report: "report",
  dataset: "dataset",
};

/** The types of updates after which an article must not be used. All other types correct it. */
const retractions: ReadonlySet<string> = new Set([
  "retraction",
  "partial_retraction",
  "withdrawal",
  "removal",
]);

/** The versions of an article whose licence is the article's: not its manuscript, nor text and data mining. */
const articleVersions: ReadonlySet<string> = new Set(["vor", "unspecified"]);

/**
 * Parses Crossref's answer for a DOI. The date of the printed issue precedes the date on which the article was put
 * online, because the year of the volume counts.
 * @returns undefined when it is not such an answer
 */
export function parseCrossref(json: unknown): RegisteredWork | undefined {
  const { data } = answer.safeParse(json);
  if (data === undefined) return undefined;
  const { message } = data;
  const [title, subtitle] = [message.title[0], message.subtitle[0]];
  const isWhole = subtitle === undefined || title?.toLowerCase().includes(subtitle.toLowerCase());
  const notice = (of: string, by: string, { type, updated }: z.output<typeof update>): Notice => {
    const kind = retractions.has(type) ? "retracted" : "corrected";
    return { kind, type, of, by, ...(updated && { day: updated }) };
  };
  const { DOI: doi } = message;
  return buildRegisteredWork(
    {
      title: isWhole ? title : `${title}: ${subtitle}`,
      publicationTitle: message["container-title"][0],
      date: message["published-print"] ?? message.issued ?? message["published-online"],
      volume: message.volume,
      issue: message.issue,
      pages: formatPageRange(message.page, undefined) ?? message["article-number"],
      DOI: doi,
      ISSN: message.ISSN.join(", "),
      language: message.language,
      abstractNote: message.abstract?.replace(/<jats:title>[^<]*<\/jats:title>/g, " "),
    },
    {
      itemType: itemTypes[message.type ?? ""] ?? "webpage",
      creators: [
        ...message.author.flatMap((each) => creatorOf(each, "author")),
        ...message.editor.flatMap((each) => creatorOf(each, "editor")),
      ],
      licences: message.license
        .filter(({ "content-version": version = "unspecified" }) => articleVersions.has(version))
        .map(({ URL: url, start }) => ({ url, ...(start && { from: start }) })),
      notices: [
        ...message["updated-by"].map((by) => notice(doi, by.DOI, by)),
        ...message["update-to"].map((of) => notice(of.DOI, doi, of)),
        ...(message.relation["is-replaced-by"] ?? []).map(({ id }) =>
          notice(doi, id, { DOI: id, type: "replacement", updated: undefined }),
        ),
      ],
    },
  );
}

function creatorOf(
  { given = "", family, name, ORCID }: z.output<typeof contributor>,
  creatorType: string,
): MetadataCreator[] {
  const body = family === undefined && name !== undefined ? { creatorType, name } : undefined;
  const creator = body ?? (family && buildPersonCreator(given, family, creatorType));
  if (!creator) return [];
  const orcid = normalizeOrcid(ORCID);
  return [orcid === undefined ? creator : { ...creator, orcid }];
}
