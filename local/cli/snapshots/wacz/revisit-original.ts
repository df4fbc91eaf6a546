import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { CdxjLine, OriginalRecord } from "../../../../shared/snapshots/wacz/wacz-index.ts";
import { fieldIn } from "../../../../shared/snapshots/warc/header-field.ts";
import { readBytes } from "./record-at.ts";

/** Returns the capture that a revisit refers to; undefined if the header of its record does not name it. */
export function originalInRecord(folder: string, { fields }: CdxjLine): OriginalRecord | undefined {
  const { filename = "", offset, length } = fields;
  const member = Buffer.alloc(Number(length));
  readBytes(join(folder, filename), Number(offset), member);
  const [header = ""] = gunzipSync(member).toString("utf8").split("\r\n\r\n", 1);
  const url = fieldIn(header, "WARC-Refers-To-Target-URI");
  const date = fieldIn(header, "WARC-Refers-To-Date");
  if (url === undefined || date === undefined) return undefined;
  return { url, timestamp: date.replaceAll(/\D/g, "").slice(0, 14) };
}
