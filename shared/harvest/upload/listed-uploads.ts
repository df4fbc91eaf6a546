import { Buffer } from "node:buffer";
import { controlFieldValue } from "../../marc/fields.ts";
import { writeMarcXml } from "../../marc/marcxml-writer.ts";
import type { ReadOutcome } from "../../marc/read-outcome.ts";
import type { ListedDocument } from "../../records/documents/document.ts";
import { normalizeMetadata } from "../../records/documents/normalize-metadata.ts";
import { parseXmlTree } from "../../xml/xml-tree.ts";
import { maxMetadataChars, type UploadedDocument, type UploadOutcome } from "../uploads/upload.ts";

export type ListedUpload = { listed: ListedDocument } | { refused: UploadOutcome };

/** A document whose metadata are XML that can be read, or of a format that is kept as it is. */
export function listUploaded({ identifier, title, format, metadata }: UploadedDocument): ListedUpload {
  const isXml = format !== "other";
  if (isXml) {
    const tree = parseXmlTree(metadata, { url: "https://document.invalid/", lenient: false });
    if (tree.type === "broken") return refusal(identifier, `metadata: ${tree.problem}`);
  }
  const normalized = isXml ? normalizeMetadata(metadata) : {};
  const known = title ?? titleOf(normalized);
  return {
    listed: {
      identifier: [identifier],
      ...(known !== undefined && { title: known }),
      content: {
        raw: metadata,
        mediaType: isXml ? "application/xml" : "text/plain",
        format,
        metadata: normalized,
      },
    },
  };
}

/** A record of a MARC file, named by its field 001. @param number its place in the file, from 1 */
export function listMarc(outcome: Exclude<ReadOutcome, { type: "broken" }>, number: number): ListedUpload {
  if (outcome.type === "malformed")
    return refusal(outcome.controlNumber ?? `record ${number}`, outcome.reason);
  const record = { ...outcome.record, leader: withoutLengths(outcome.record.leader) };
  const identifier = controlFieldValue(record, "001")?.trim();
  if (!identifier) return refusal(`record ${number}`, "001: is missing");
  const [, , subfields = []] = record.fields.find(([tag]) => tag === "245") ?? [];
  const title = subfields.find(([code]) => code === "a")?.[1];
  const raw = Buffer.from(writeMarcXml([record])).toString();
  if (raw.length > maxMetadataChars) {
    const reason = `record ${number}: it has ${raw.length} characters, more than ${maxMetadataChars}`;
    return refusal(identifier, reason);
  }
  return {
    listed: {
      identifier: [identifier],
      ...(title !== undefined && { title }),
      content: { raw, mediaType: "application/xml", format: "marcxml", metadata: { marc: record } },
    },
  };
}

/** Length and base address are of ISO 2709 only: a record is the same in both forms. */
function withoutLengths(leader: string): string {
  return `00000${leader.slice(5, 12)}00000${leader.slice(17)}`;
}

function titleOf({ title }: Record<string, unknown>): string | undefined {
  return typeof title === "string" && title.trim() !== "" ? title : undefined;
}

export function refusal(name: string, reason: string): ListedUpload {
  return { refused: { type: "document", name, outcome: "refused", reason } };
}
