import { constants } from "node:http2";
import { errors } from "undici";
import { oneLine } from "../../core/one-line.ts";
import type { FailureReason, RefusalReason } from "./exchange.ts";
import { LookupError } from "./guarded-lookup.ts";
import { describeTlsFailure } from "./tls-failures.ts";

/** How far an exchange had come when it broke; `answered`: the head of the answer was there. */
export type Progress = "connecting" | "sent" | "answered";

export type FailureCause =
  | { type: "refused"; reason: RefusalReason; detail: string }
  | { type: "failed"; reason: FailureReason; detail: string };

/** undici asserts what its parser lets through: a status below 100. */
const assertion = "ERR_ASSERTION";

/** Of a body that breaks off; and of any head that its parser refuses after a Content-Length, be it for a second one. */
const lengthMismatch = "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";

/** Error codes of undici and Node that mean the same at any time. */
const reasonsByCode: [RegExp, FailureReason][] = [
  [/^UND_ERR_CONNECT_TIMEOUT$/, "connect"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "headers-too-large"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_INFO)$/, "reset"],
  [/^ERR_HTTP2_/, "reset"],
  [new RegExp(`^${assertion}$`), "bad-http"],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO)/, "tls"],
];

const connectionErrorCode = /^(ECONN|EHOST|ENET|EADDR|ETIMEDOUT|EACCES|EPERM|EMFILE)/;

/** Whether undici refuses the request itself: a header with a line break, a client that has been closed. */
export function isInvalidRequest(error: Error): boolean {
  return /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|CLOSED|DESTROYED)$/.test(codeOf(error));
}

/**
 * Names why an exchange broke.
 * @param at.secure whether TLS was wanted: what is not the network's fault before the ask is then TLS's
 */
export function explainFailure(error: Error, at: { progress: Progress; secure: boolean }): FailureCause {
  if (error instanceof LookupError) {
    return error.reason === "address"
      ? { type: "refused", reason: error.reason, detail: shortLine(error.message) }
      : { type: "failed", reason: error.reason, detail: shortLine(error.message) };
  }
  const reason = reasonOf(error, at);
  return {
    type: "failed",
    reason,
    detail: shortLine(describeKnownFailure(error, reason) ?? describe(error)),
  };
}

/** What we say instead of a library. */
function describeKnownFailure(error: Error, reason: FailureReason): string | undefined {
  // undici's words would be a line of its code.
  if (codeOf(error) === assertion) return "the answer is no HTTP: its status is below 100";
  if (codeOf(error) === lengthMismatch && reason === "bad-http") {
    return "the answer is no HTTP: its Content-Length is contradicted by another header, or followed by what is none";
  }
  return reason === "tls" ? describeTlsFailure(error) : undefined;
}

function reasonOf(
  error: Error,
  { progress, secure }: { progress: Progress; secure: boolean },
): FailureReason {
  // undici's words for an answer that was not requested: 100 Continue, 101 Switching Protocols.
  if (error.message === "bad response" || error.message === "bad upgrade") return "bad-http";
  if (error instanceof errors.HTTPParserError) {
    // The parser's errors have no codes. At an end of file the connection broke off within a message.
    return error.message.includes("Invalid EOF state") ? "reset" : "bad-http";
  }
  // The host's own code, or Node's, which takes 128 header fields.
  if (http2ErrorOf(error) === constants.NGHTTP2_ENHANCE_YOUR_CALM) return "enhance-your-calm";
  const code = codeOf(error);
  if (code === lengthMismatch) return progress === "answered" ? "reset" : "bad-http";
  const known = reasonsByCode.find(([pattern]) => pattern.test(code));
  if (known !== undefined) return known[1];
  if (progress === "connecting") return secure && !connectionErrorCode.test(code) ? "tls" : "connect";
  return code === "ETIMEDOUT" ? "timeout" : "reset";
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The code that a stream of HTTP/2 was closed with, as undici notes it. */
function http2ErrorOf(error: Error): unknown {
  return "http2ErrorCode" in error ? error.http2ErrorCode : undefined;
}

/** Of several attempts, one per address, each has its own message. */
function describe(error: Error): string {
  const messages =
    error instanceof AggregateError ? error.errors.map((each) => each.message).join("; ") : error.message;
  return messages || codeOf(error);
}

function shortLine(text: string): string {
  const line = oneLine(text).replace(/ +/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
