import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { CdxjLine, OriginalRecord } from "../../shared/snapshots/wacz/wacz-index.ts";

/** Which capture the record of a revisit refers to; undefined when its header does not say. */
export function originalInRecord(folder: string, { fields }: CdxjLine): OriginalRecord | undefined {
  const { filename = "", offset, length } = fields;
  const member = Buffer.alloc(Number(length));
  const file = openSync(join(folder, filename), "r");
  try {
    readSync(file, member, 0, member.byteLength, Number(offset));
  } finally {
    closeSync(file);
  }
  const [header = ""] = gunzipSync(member).toString("utf8").split("\r\n\r\n", 1);
  const [, url] = /^WARC-Refers-To-Target-URI: <?(.*?)>?\r?$/im.exec(header) ?? [];
  const [, date] = /^WARC-Refers-To-Date: (.*?)\r?$/im.exec(header) ?? [];
  if (url === undefined || date === undefined) return undefined;
  return { url, timestamp: date.replaceAll(/\D/g, "").slice(0, 14) };
}
