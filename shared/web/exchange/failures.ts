import { constants } from "node:http2";
import { errors } from "undici";
import { oneLine } from "../../core/one-line.ts";
import type { RefusalReason } from "../address/refusal.ts";
import type { FailureReason } from "./exchange.ts";
import { LookupError } from "./guarded-lookup.ts";
import { describeTlsFailure } from "./tls-failures.ts";
import { TolerantReadingError } from "./tolerant/tolerant-reading.ts";

/** How far an exchange had progressed when it failed. `answered`: the head of the response had arrived. */
export type Progress = "connecting" | "sent" | "answered";

type FailureCause =
  | { type: "refused"; reason: RefusalReason; detail: string }
  | { type: "failed"; reason: FailureReason; detail: string };

/** undici throws an AssertionError for a status below 100, which its parser accepts. */
const assertion = "ERR_ASSERTION";

/**
 * undici's code for a body that is shorter than its Content-Length. undici also uses this code for every head that its
 * parser rejects after a Content-Length line, for example because of a second Content-Length.
 */
const lengthMismatch = "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";

/** Error codes of undici and Node whose meaning does not depend on the progress of the exchange. */
const reasonsByCode: [RegExp, FailureReason][] = [
  [/^UND_ERR_CONNECT_TIMEOUT$/, "connect"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "headers-too-large"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_INFO)$/, "reset"],
  [/^ERR_HTTP2_/, "reset"],
  [new RegExp(`^${assertion}$`), "bad-http"],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO)/, "tls"],
];

const connectionErrorCode = /^(ECONN|EHOST|ENET|EADDR|ETIMEDOUT|EACCES|EPERM|EMFILE)/;

/**
 * Decides whether undici rejects the request itself, because of a header with a line break or a closed client, for
 * example.
 */
export function isInvalidRequest(error: Error): boolean {
  return /^UND_ERR_(INVALID_ARG|NOT_SUPPORTED|CLOSED|DESTROYED)$/.test(codeOf(error));
}

/**
 * Names the reason why an exchange failed.
 * @param at.secure whether the URL is https. If so, a failure before the request is sent is attributed to TLS, unless
 * the network caused it
 */
export function explainFailure(error: Error, at: { progress: Progress; secure: boolean }): FailureCause {
  if (error instanceof LookupError) {
    return error.reason === "address"
      ? { type: "refused", reason: error.reason, detail: shortLine(error.message) }
      : { type: "failed", reason: error.reason, detail: shortLine(error.message) };
  }
  if (error instanceof TolerantReadingError) {
    return { type: "failed", reason: error.reason, detail: shortLine(error.message) };
  }
  const reason = reasonOf(error, at);
  return {
    type: "failed",
    reason,
    detail: shortLine(describeKnownFailure(error, reason) ?? describe(error)),
  };
}

/** Returns a message of Ingather, where that of the library is unclear. */
function describeKnownFailure(error: Error, reason: FailureReason): string | undefined {
  // undici's own message is a line of its source code.
  if (codeOf(error) === assertion) return "the response is not valid HTTP: its status is below 100";
  if (codeOf(error) === lengthMismatch && reason === "bad-http") {
    return "the response is not valid HTTP: another header contradicts its Content-Length, or an invalid line follows it";
  }
  return reason === "tls" ? describeTlsFailure(error) : undefined;
}

function reasonOf(
  error: Error,
  { progress, secure }: { progress: Progress; secure: boolean },
): FailureReason {
  // undici's messages for a 100 Continue or 101 Switching Protocols that was not requested.
  if (error.message === "bad response" || error.message === "bad upgrade") return "bad-http";
  if (error instanceof errors.HTTPParserError) {
    // The parser's errors have no codes. "Invalid EOF" means that the connection ended within a message.
    return error.message.includes("Invalid EOF state") ? "reset" : "bad-http";
  }
  // The host sends this error, and Node creates it for more than 128 header fields.
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

/** Returns the code with which an HTTP/2 stream was closed, as undici reports it. */
function http2ErrorOf(error: Error): unknown {
  return "http2ErrorCode" in error ? error.http2ErrorCode : undefined;
}

/** Returns the error's message. If several addresses were tried, the messages of all are joined. */
function describe(error: Error): string {
  const messages =
    error instanceof AggregateError ? error.errors.map((each) => each.message).join("; ") : error.message;
  return messages || codeOf(error);
}

function shortLine(text: string): string {
  const line = oneLine(text).replace(/ +/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
