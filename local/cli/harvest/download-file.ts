import { closeSync, createWriteStream, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { digest } from "../../../shared/core/digest.ts";
import { checkFileType, fileHeadBytes } from "../../../shared/harvest/items/file-type.ts";
import { defaultMaxFileBytes } from "../../../shared/harvest/items/request-files.ts";
import { describeUnusableOutcome, isUsableAnswer } from "../../../shared/web/request/response.ts";
import type { InProcessGate } from "./in-process-gate.ts";
import type { OaiTarget } from "./oai-exchange.ts";

/** A file of a document: stored, or the reason why it is not stored. */
export type DownloadedFile =
  | { url: string; file: string; contentType: string; sizeBytes: number; sha256: string }
  | { url: string; problem: string };

/** Returns a function that streams bodies to a folder. The key of a body is its path. */
export function streamToFolder(
  folder: string,
): (key: string, body: AsyncIterable<Uint8Array>) => Promise<string> {
  return async (key, body) => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, key);
    await pipeline(Readable.from(body), createWriteStream(path));
    return path;
  };
}

/**
 * Downloads a file through a gate that streams to a folder. A response that is not a file, such as a web
 * page, is deleted.
 */
export async function downloadFile(
  url: string,
  gate: InProcessGate,
  { delayMs, userAgent }: Omit<OaiTarget, "baseUrl">,
): Promise<DownloadedFile> {
  const response = await gate.fetch({
    id: digest("file", url),
    kind: "item",
    url,
    throttleMs: delayMs,
    userAgent,
    bodyPolicy: { type: "stream", maxBytes: defaultMaxFileBytes },
  });
  gate.forget(response);
  const { outcome } = response;
  const path = outcome.type === "answered" ? outcome.bodyKey : undefined;
  const refuse = (problem: string): DownloadedFile => {
    if (path !== undefined) rmSync(path, { force: true });
    return { url, problem };
  };
  if (!isUsableAnswer(outcome)) return refuse(describeUnusableOutcome(outcome));
  const { sizeBytes = 0, sha256 } = outcome.stored ?? {};
  if (path === undefined || sha256 === undefined) return refuse("it is empty");
  const checked = checkFileType(headOf(path), outcome.headers["content-type"] ?? "");
  if (checked.type === "refused") return refuse(checked.reason);
  return { url, file: `files/${basename(path)}`, contentType: checked.contentType, sizeBytes, sha256 };
}

function headOf(path: string): Uint8Array {
  const head = Buffer.alloc(fileHeadBytes);
  const file = openSync(path, "r");
  try {
    return head.subarray(0, readSync(file, head, 0, fileHeadBytes, 0));
  } finally {
    closeSync(file);
  }
}
