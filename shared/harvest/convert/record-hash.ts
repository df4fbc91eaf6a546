import { createHash } from "node:crypto";
import type { MarcRecord } from "../../marc/record.ts";
import { formatFieldContent } from "./field-content.ts";

/**
 * Computes the hash that identifies equal records, as SHA-1 in upper-case hexadecimal. It covers parts of the leader,
 * and all fields except 001 and local fields (a 9 or a letter in the tag). The fields are sorted by tag, then by the
 * bytes of their content.
 */
export function recordHash(record: MarcRecord): string {
  const fields: { tag: string; content: Buffer }[] = [];
  for (const [tag, value] of record.control)
    if (tag !== "001" && !isLocal(tag)) fields.push({ tag, content: Buffer.from(value) });
  for (const field of record.fields)
    if (!isLocal(field[0])) fields.push({ tag: field[0], content: Buffer.from(formatFieldContent(field)) });
  fields.sort((a, b) => (a.tag === b.tag ? Buffer.compare(a.content, b.content) : a.tag < b.tag ? -1 : 1));

  const hash = createHash("sha1").update(record.leader.slice(5, 12)).update(record.leader.slice(17, 20));
  for (const { tag, content } of fields) hash.update(tag).update(content);
  return hash.digest("hex").toUpperCase();
}

function isLocal(tag: string): boolean {
  return /[9A-Za-z]/.test(tag);
}
