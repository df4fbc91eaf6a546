import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../../shared/core/errors.ts";
import { readCdxj, readCrawlLog } from "../../../../shared/snapshots/wacz/capture-lists.ts";
import type { StoredCapture } from "../../../../shared/snapshots/wacz/package-contents.ts";
import {
  type CdxjLine,
  isRevisit,
  type OriginalRecord,
} from "../../../../shared/snapshots/wacz/wacz-index.ts";
import { linesOfFile } from "../capture/lines-of-file.ts";
import { originalInRecord } from "./revisit-original.ts";
import { packedFile } from "./write-wacz.ts";

/** The contents of a capture folder. */
export interface CaptureFolder extends StoredCapture {
  folder: string;
  /** The originals that its revisits refer to. */
  originals: Map<CdxjLine, OriginalRecord | undefined>;
}

/**
 * Reads the folder of a complete capture. @throws InputError if the capture is still in progress, or if there
 * is none
 */
export function readCaptureFolder(folder: string): CaptureFolder {
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  const names = isFolder ? readdirSync(folder).sort() : [];
  const open = names.find((name) => name.endsWith(".warc.gz.open"));
  if (open !== undefined) throw new InputError("DIR", folder, `is still being captured: it has ${open}`);
  if (!names.includes("index.cdxj"))
    throw new InputError("DIR", folder, "holds no capture: it has no index.cdxj");
  const linesOf = function* (name: string) {
    if (!names.includes(name)) return;
    for (const line of linesOfFile(join(folder, name))) yield line.toString();
  };
  const captures = readCdxj(linesOf("index.cdxj"));
  return {
    folder,
    warcs: names.filter((name) => name.endsWith(".warc.gz")).map((name) => packedFile(join(folder, name))),
    captures,
    originals: new Map(
      captures.filter(isRevisit).map((each) => [each, originalInRecord(folder, each)] as const),
    ),
    ...readCrawlLog(linesOf("crawl.log")),
  };
}
