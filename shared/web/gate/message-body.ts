import { gunzipSync, gzipSync } from "node:zlib";
import type { InboundResponse } from "../request/response.ts";

/**
 * The longest body within a message, compressed and in base64. An object costs fourteen times as much as a message of
 * 64 KiB, and takes two more calls.
 */
const maxChars = 44_000;

/** Larger bodies are rarely small enough after compression. */
const maxBytes = 512 * 1024;

const scheme = "data:application/gzip;base64,";

/**
 * Returns a small body as a `data:` URL, which passes the body to its reader within the message.
 * @param limit the longest body, compressed and in base64
 * @returns undefined when the body is too large
 * @see https://www.rfc-editor.org/rfc/rfc2397
 */
export function bodyInMessage(body: Uint8Array, limit = maxChars): string | undefined {
  if (limit === maxChars && body.byteLength > maxBytes) return undefined;
  const text = gzipSync(body, { level: 4 }).toString("base64");
  return text.length > limit ? undefined : `${scheme}${text}`;
}

/**
 * Returns the body that a key contains.
 * @returns undefined when the key is that of an object
 */
export function bodyOfKey(key: string): Uint8Array | undefined {
  return key.startsWith(scheme) ? gunzipSync(Buffer.from(key.slice(scheme.length), "base64")) : undefined;
}

/**
 * Returns the key of an object with the body, for uses that outlast the message. If the key contains the body, the body
 * is stored.
 */
export async function objectKeyOf(
  key: string,
  name: string,
  { store }: { store(name: string, content: Uint8Array): Promise<string> },
): Promise<string> {
  const body = bodyOfKey(key);
  return body === undefined ? key : store(name, body);
}

/** Returns the response with its body in an object. */
export async function withStoredBody(
  response: InboundResponse,
  bodies: Parameters<typeof objectKeyOf>[2],
): Promise<InboundResponse> {
  const { request, outcome } = response;
  if (outcome.type !== "answered" || outcome.bodyKey === undefined) return response;
  const bodyKey = await objectKeyOf(outcome.bodyKey, `${request.id}-read`, bodies);
  return { request, outcome: { ...outcome, bodyKey } };
}
