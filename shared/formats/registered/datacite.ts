import * as z from "zod";
import { normalizeOrcid } from "../../identifiers/orcid.ts";
import type { MetadataCreator } from "../article-metadata.ts";
import { buildPersonCreator, parseCreatorName } from "../creator-names.ts";
import { formatPageRange } from "../page-range.ts";
import { buildRegisteredWork, lenientList, lenientText, type RegisteredWork } from "./registered-work.ts";

const contributor = z.object({
  name: lenientText,
  nameType: lenientText,
  givenName: lenientText,
  familyName: lenientText,
  contributorType: lenientText,
  nameIdentifiers: lenientList(z.object({ nameIdentifier: z.string() })),
});

/** @see https://support.datacite.org/docs/api-get-doi */
const answer = z.object({
  data: z.object({
    attributes: z.object({
      doi: z.string(),
      titles: lenientList(z.object({ title: z.string(), titleType: lenientText })),
      creators: lenientList(contributor),
      contributors: lenientList(contributor),
      container: z
        .object({
          title: lenientText,
          volume: lenientText,
          issue: lenientText,
          firstPage: lenientText,
          lastPage: lenientText,
          identifier: lenientText,
          identifierType: lenientText,
        })
        .partial()
        .catch({}),
      publicationYear: z.coerce.string().optional().catch(undefined),
      dates: lenientList(z.object({ date: z.string(), dateType: z.string() })),
      language: lenientText,
      descriptions: lenientList(z.object({ description: z.string(), descriptionType: z.string() })),
      subjects: lenientList(z.object({ subject: z.string() })),
      rightsList: lenientList(z.object({ rightsUri: z.string() })),
      types: z.object({ resourceTypeGeneral: lenientText }).catch({ resourceTypeGeneral: undefined }),
      relatedIdentifiers: lenientList(
        z.object({
          relatedIdentifier: z.string(),
          relatedIdentifierType: z.literal("DOI"),
          relationType: z.literal("IsObsoletedBy"),
        }),
      ),
    }),
  }),
});

const itemTypes: Readonly<Record<string, string>> = {
  JournalArticle: "journalArticle",
  BookChapter: "bookSection",
  ConferencePaper: "conferencePaper",
  Preprint: "preprint",
  Book: "book",
  Dissertation: "thesis",
  Report: "report",
  Dataset: "dataset",
};

/**
 * Parses DataCite's answer for a DOI. A licence applies from the day on which the work is available.
 * @returns undefined when it is not such an answer
 */
export function parseDatacite(json: unknown): RegisteredWork | undefined {
  const { data } = answer.safeParse(json);
  if (data === undefined) return undefined;
  const { attributes: work } = data.data;
  const { container } = work;
  const dateOf = (type: string) => work.dates.find(({ dateType }) => dateType === type)?.date;
  const available = /^\d{4}-\d\d-\d\d/.exec(dateOf("Available") ?? "")?.[0];
  const issued = dateOf("Issued");
  return buildRegisteredWork(
    {
      title: work.titles.find(({ titleType }) => titleType === undefined)?.title,
      publicationTitle: container.title,
      // The year of publication counts; the date of issue may only tell it more precisely.
      date: issued?.startsWith(work.publicationYear ?? "") ? issued : work.publicationYear,
      volume: container.volume,
      issue: container.issue,
      pages: formatPageRange(container.firstPage, container.lastPage),
      DOI: work.doi,
      ISSN: container.identifierType === "ISSN" ? container.identifier : undefined,
      language: work.language,
      abstractNote: work.descriptions.find(({ descriptionType }) => descriptionType === "Abstract")
        ?.description,
    },
    {
      itemType: itemTypes[work.types.resourceTypeGeneral ?? ""] ?? "webpage",
      creators: [
        ...work.creators.flatMap((each) => creatorOf(each, "author")),
        ...work.contributors
          .filter(({ contributorType }) => contributorType === "Editor")
          .flatMap((each) => creatorOf(each, "editor")),
      ],
      tags: work.subjects.map(({ subject }) => subject),
      licences: work.rightsList.map(({ rightsUri: url }) => ({ url, ...(available && { from: available }) })),
      notices: work.relatedIdentifiers.map(({ relatedIdentifier: by }) => ({
        kind: "corrected",
        type: "IsObsoletedBy",
        of: work.doi,
        by,
      })),
    },
  );
}

function creatorOf(
  { name, nameType, givenName = "", familyName, nameIdentifiers }: z.output<typeof contributor>,
  creatorType: string,
): MetadataCreator[] {
  const isBody = nameType === "Organizational" && name !== undefined;
  const person = familyName ? buildPersonCreator(givenName, familyName, creatorType) : undefined;
  const creator = isBody ? { creatorType, name } : (person ?? parseCreatorName(name ?? "", creatorType));
  if (creator === undefined) return [];
  const orcid = nameIdentifiers
    .map(({ nameIdentifier }) => normalizeOrcid(nameIdentifier))
    .find((each) => each !== undefined);
  return [orcid === undefined ? creator : { ...creator, orcid }];
}
