import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../shared/core/errors.ts";
import { type DuplicateLine, duplicatesIn } from "../../shared/snapshots/wacz/kept-elsewhere.ts";
import {
  type CdxjLine,
  isRevisit,
  type OriginalRecord,
  parseCdxjLine,
} from "../../shared/snapshots/wacz/wacz-index.ts";
import type { HopsByUrl } from "../../shared/snapshots/wacz/wacz-pages.ts";
import { originalInRecord } from "./revisit-original.ts";

/** What the folder of a capture holds. */
export interface StoredCapture {
  /** Paths. */
  warcs: string[];
  captures: CdxjLine[];
  found: HopsByUrl;
  /** What its revisits refer to. */
  originals: Map<CdxjLine, OriginalRecord | undefined>;
  /** Where the log says that the content of a capture is. */
  origins: DuplicateLine[];
}

/** Reads the folder of a capture that is not being written. @throws InputError when it is, or when there is none */
export function readCapture(folder: string): StoredCapture {
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  const names = isFolder ? readdirSync(folder).sort() : [];
  const open = names.find((name) => name.endsWith(".warc.gz.open"));
  if (open !== undefined) throw new InputError("DIR", folder, `is still being captured: it has ${open}`);
  if (!names.includes("index.cdxj"))
    throw new InputError("DIR", folder, "holds no capture: it has no index.cdxj");
  const log = names.includes("crawl.log") ? linesOf(join(folder, "crawl.log")) : [];
  const captures = linesOf(join(folder, "index.cdxj")).flatMap((line) => parseCdxjLine(line) ?? []);
  return {
    warcs: names.filter((name) => name.endsWith(".warc.gz")).map((name) => join(folder, name)),
    captures,
    originals: new Map(
      captures.filter(isRevisit).map((each) => [each, originalInRecord(folder, each)] as const),
    ),
    origins: duplicatesIn(log),
    found: new Map(
      log.map((line) => {
        const [, , , url = "", hops = "", , mime = ""] = line.split(/ +/);
        return [url, { hops: hops === "-" ? "" : hops, mime }] as const;
      }),
    ),
  };
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}
