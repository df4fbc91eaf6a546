import { createHash } from "node:crypto";
import { timestamp14 } from "./timestamp.ts";

/** The id of the warcinfo record of a file, which its other records name: `urn:uuid:…`. */
export function warcinfoIdOf(filename: string): string {
  return `urn:uuid:${uuidOf(filename)}`;
}

/**
 * The id of a response that later captures may refer to. It follows from what an index has of a capture, so that a revisit
 * can name the record.
 * @param payloadDigest `sha1:…`
 */
export function responseIdOf(
  warcinfoId: string,
  { url, startedAt, payloadDigest }: { url: string; startedAt: Date; payloadDigest: string },
): string {
  return `urn:uuid:${uuidOf([warcinfoId, url, timestamp14(startedAt), payloadDigest].join(" "))}`;
}

/** Responses in files that were begun before this time have random ids. */
const firstNamedFile = "20261128000000";

/** The id of a response in a file; undefined when the file is not of Ingather, or too old. */
export function responseIdIn(
  filename: string,
  capture: { url: string; startedAt: Date; payloadDigest: string },
): string | undefined {
  const [, begun] = /^INGATHER-(?:\d+-)?(\d{14})(?:\d{3})?-\d+\.warc\.gz$/.exec(filename) ?? [];
  if (begun === undefined || begun < firstNamedFile) return undefined;
  return responseIdOf(warcinfoIdOf(filename), capture);
}

/** The same UUID for the same name. @see https://www.rfc-editor.org/rfc/rfc9562.html#name-uuid-version-8 */
function uuidOf(name: string): string {
  const hash = createHash("sha256").update(name).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
