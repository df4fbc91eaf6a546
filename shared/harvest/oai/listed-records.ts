import type { ListedDocument } from "../../documents/document.ts";
import { fileUrlsOf } from "../../documents/items/file-links.ts";
import { normalizeMetadata } from "../../documents/normalize-metadata.ts";
import type { OaiRecord } from "../../oai/page.ts";
import type { MetadataWish } from "../../oai/page-reader.ts";

const dublinCore = "http://purl.org/dc/elements/1.1/";
const fileElements = ["relation", "identifier"];

/** What a reader needs of each record. */
export const recordWish: MetadataWish = {
  asXml: true,
  values: ({ namespace, local }) =>
    local === "title" || (namespace === dublinCore && fileElements.includes(local)),
};

/** A record with its metadata as the repository sent them, and normalised where the format is known. */
export function listRecord(
  record: OaiRecord,
  { metadataPrefix, files }: { metadataPrefix: string; files: boolean },
): ListedDocument | { problem: string } {
  const { identifier, datestamp, sets, isDeleted, metadata } = record;
  if (identifier === "") return { problem: "it has no identifier" };
  const listed: ListedDocument = { identifier: [identifier], sets, ...(datestamp !== "" && { datestamp }) };
  if (isDeleted) return { ...listed, isDeleted };
  if (metadata === undefined) return { problem: "it has no metadata, and is not deleted" };
  const title = titleOf(record);
  return {
    ...listed,
    ...(title !== undefined && { title }),
    content: {
      raw: metadata,
      mediaType: "application/xml",
      format: metadataPrefix,
      metadata: normalizeMetadata(metadata),
    },
    ...(files && { fileUrls: fileUrlsOf(dublinCoreOf(record)) }),
  };
}

/** The first title that is not empty, of any format. */
function titleOf({ values }: Pick<OaiRecord, "values">): string | undefined {
  const titles = values.filter(({ local }) => local === "title");
  return titles.map(({ text }) => text.trim().replaceAll(/\s+/g, " ")).find((text) => text !== "");
}

/** The texts of the elements of Dublin Core that may name files. */
function dublinCoreOf({ values }: OaiRecord): Record<string, string[]> {
  const texts = (name: string) =>
    values
      .filter(({ namespace, local }) => namespace === dublinCore && local === name)
      .map(({ text }) => text);
  return Object.fromEntries(fileElements.map((name) => [name, texts(name)]));
}
