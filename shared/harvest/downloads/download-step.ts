import { isGone } from "../../web/request/body-policy.ts";
import { describeUnusableOutcome, type ResponseOutcome } from "../../web/request/response.ts";
import type { ItemContext } from "../items/item-context.ts";

type Piece = ItemContext["pieces"][number];

/** The step that follows the response to a request for a file. */
export type DownloadStep =
  | { type: "unchanged" }
  | { type: "gone" | "refused"; reason: string }
  /** `offset` is the number of bytes received so far. */
  | { type: "continue"; pieces: Piece[]; offset: number; etag: string; contentType: string }
  /** `sizeBytes` is the size according to the host. */
  | {
      type: "complete";
      pieces: Piece[];
      sizeBytes: number | undefined;
      etag: string | undefined;
      contentType: string;
    };

/**
 * The maximum number of parts: a file of 5 GB in parts of three minutes each. If more parts are needed, the host sends
 * less than 150 KB/s.
 */
const maxPieces = 200;

/**
 * Decides on the step after a response. An interrupted file is continued if the host identifies it by a strong entity
 * tag.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-if-range
 */
export function nextDownloadStep(outcome: ResponseOutcome, context: ItemContext): DownloadStep {
  if (outcome.type !== "answered") return { type: "refused", reason: describeUnusableOutcome(outcome) };
  const { status, headers, bodyKey, stored, bodyProblem } = outcome;
  if (status === 304) return { type: "unchanged" };
  if (isGone(status)) return { type: "gone", reason: describeUnusableOutcome(outcome) };
  const expected = context.pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const range = status === 206 ? contentRange(headers["content-range"]) : undefined;
  if (status !== 200 && status !== 206) return { type: "refused", reason: describeUnusableOutcome(outcome) };
  if (status === 206 && range?.start !== expected) {
    return { type: "refused", reason: `it continued at byte ${range?.start ?? "?"} instead of ${expected}` };
  }
  // A response of 200 to a request for the rest means that the file has changed, so it starts again.
  const before = status === 206 ? context.pieces : [];
  const pieces =
    bodyKey === undefined || stored === undefined
      ? before
      : [...before, { key: bodyKey, sizeBytes: stored.sizeBytes }];
  const offset = pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const etag = headers.etag ?? (status === 206 ? context.etag : undefined);
  const contentType = status === 206 ? (context.contentType ?? "") : (headers["content-type"] ?? "");
  const sizeBytes = range?.size ?? (status === 200 ? plainLength(headers) : undefined);
  const tooLarge = Math.max(offset, sizeBytes ?? 0) > context.maxBytes;
  if (tooLarge) return { type: "refused", reason: `it has more than ${context.maxBytes} bytes` };
  if (bodyProblem === undefined) return { type: "complete", pieces, sizeBytes, etag, contentType };
  const { reason, detail } = bodyProblem;
  const interrupted = `its download was interrupted after ${offset} bytes (${reason}: ${detail})`;
  if (stored === undefined || stored.sizeBytes === 0) return { type: "refused", reason: interrupted };
  if (etag === undefined || !isStrong(etag) || headers["accept-ranges"] === "none") {
    return { type: "refused", reason: `${interrupted}, and its host cannot continue it` };
  }
  if (pieces.length >= maxPieces)
    return { type: "refused", reason: `${interrupted} for the ${maxPieces}th time` };
  return { type: "continue", pieces, offset, etag, contentType };
}

/**
 * Returns whether an entity tag is strong.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-etag
 */
function isStrong(etag: string): boolean {
  return /^"[\x21\x23-\x7e]*"$/.test(etag);
}

/**
 * Parses a `Content-Range` header.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-content-range
 */
function contentRange(value = ""): { start: number; size?: number } | undefined {
  const [, start, size] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(value) ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), ...(size !== undefined && size !== "*" && { size: Number(size) }) };
}

/** Returns the length of a body that is not compressed. */
function plainLength(headers: Record<string, string>): number | undefined {
  const { "content-length": length = "", "content-encoding": encoding } = headers;
  return encoding === undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
