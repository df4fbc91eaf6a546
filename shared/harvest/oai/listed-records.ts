import { compilePattern } from "../../core/pattern.ts";
import type { OaiRecord } from "../../formats/oai/page.ts";
import type { MetadataWish } from "../../formats/oai/page-reader.ts";
import type { ListedDocument } from "../../records/documents/document.ts";
import { normalizeMetadata } from "../../records/documents/normalize-metadata.ts";
import type { Source } from "../../records/sources/source.ts";
import { defaultFields, fileUrlsOf } from "../items/file-links.ts";

const dublinCore = "http://purl.org/dc/elements/1.1/";

type OaiSettings = Source["oai"];

/** What a reader needs of each record of a source. */
export function recordWishOf({ fileFields }: Pick<OaiSettings, "fileFields">): MetadataWish {
  const fields: readonly string[] = fileFields ?? defaultFields;
  return {
    asXml: true,
    values: ({ namespace, local }) =>
      local === "title" || (namespace === dublinCore && fields.includes(local)),
  };
}

type FileSettings = Pick<OaiSettings, "metadataPrefix" | "files" | "fileFields" | "filePattern">;

/** A record with its metadata as the repository sent them, and normalised where the format is known. */
export function listRecord(
  record: OaiRecord,
  { metadataPrefix, files, fileFields, filePattern }: FileSettings,
): ListedDocument | { problem: string } {
  const { identifier, datestamp, sets, isDeleted, metadata } = record;
  if (identifier === "") return { problem: "it has no identifier" };
  const listed: ListedDocument = { identifier: [identifier], sets, ...(datestamp !== "" && { datestamp }) };
  if (isDeleted) return { ...listed, isDeleted };
  if (metadata === undefined) return { problem: "it has no metadata, and is not deleted" };
  const title = titleOf(record);
  const fields: readonly string[] = fileFields ?? defaultFields;
  return {
    ...listed,
    ...(title !== undefined && { title }),
    content: {
      raw: metadata,
      mediaType: "application/xml",
      format: metadataPrefix,
      metadata: normalizeMetadata(metadata),
    },
    ...(files && {
      fileUrls: fileUrlsOf(dublinCoreOf(record, fields), {
        fields,
        ...(filePattern !== undefined && { accepts: accepting(filePattern) }),
      }),
    }),
  };
}

/** The first title that is not empty, of any format. */
function titleOf({ values }: Pick<OaiRecord, "values">): string | undefined {
  const titles = values.filter(({ local }) => local === "title");
  return titles.map(({ text }) => text.trim().replaceAll(/\s+/g, " ")).find((text) => text !== "");
}

function accepting(pattern: string): (url: string) => boolean {
  const compiled = compilePattern(pattern);
  return (url) => compiled.matcher(url).find();
}

/** The texts of the elements of Dublin Core that may name files. */
function dublinCoreOf({ values }: OaiRecord, fields: readonly string[]): Record<string, string[]> {
  const texts = (name: string) =>
    values
      .filter(({ namespace, local }) => namespace === dublinCore && local === name)
      .map(({ text }) => text);
  return Object.fromEntries(fields.map((name) => [name, texts(name)]));
}
