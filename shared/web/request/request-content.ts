import * as z from "zod";

/** An SQS message holds 256 KiB, including the rest of the request. */
const maxBodyBytes = 128 * 1024;

const maxHeaderChars = 8192;

/**
 * Headers that a request may not set: those of the connection, those that undici or the gate sets, and credentials,
 * which a redirect would disclose to another host.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
 */
const reservedHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "cookie",
  "expect",
  "host",
  "http2-settings",
  "if-match",
  "if-modified-since",
  "if-unmodified-since",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

/**
 * Headers that a request may set only if it streams its body. The gate itself never makes such requests conditional.
 */
export const streamHeaders: readonly string[] = ["if-none-match", "if-range", "range"];

/** @see https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const headerName = z
  .string()
  .regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/, "must be the name of a header, in lower case")
  .refine((name) => !reservedHeaders.has(name), { error: "is not for requests to set" });

/** Request headers by name. Values are printable ASCII, because other characters do not reach every host unchanged. */
export const requestHeaderFields = z
  .record(headerName, z.string().regex(/^[\x20-\x7e]*$/, "must be printable ASCII"))
  .refine((headers) => Object.entries(headers).flat().join("").length <= maxHeaderChars, {
    error: `must have at most ${maxHeaderChars} characters together`,
  });

export const requestBody = z.string().refine((body) => Buffer.byteLength(body) <= maxBodyBytes, {
  error: `must have at most ${maxBodyBytes} bytes`,
});
