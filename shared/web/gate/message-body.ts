import { gunzipSync, gzipSync } from "node:zlib";
import type { InboundResponse } from "../request/response.ts";

/**
 * The length of a body within a message, compressed and as base64. An object costs fourteen times as much as a message
 * of 64 KiB, and takes two calls more.
 */
const maxChars = 44_000;

/** Larger ones hardly ever become small enough. */
const maxBytes = 512 * 1024;

const scheme = "data:application/gzip;base64,";

/**
 * A small body as a `data:` URL, which passes it to its reader within the message; undefined for one that is too large.
 * @see https://www.rfc-editor.org/rfc/rfc2397
 */
export function bodyInMessage(body: Uint8Array): string | undefined {
  if (body.byteLength > maxBytes) return undefined;
  const text = gzipSync(body, { level: 4 }).toString("base64");
  return text.length > maxChars ? undefined : `${scheme}${text}`;
}

/** The body that its key holds; undefined when the key is that of an object. */
export function bodyOfKey(key: string): Uint8Array | undefined {
  return key.startsWith(scheme) ? gunzipSync(Buffer.from(key.slice(scheme.length), "base64")) : undefined;
}

/** The key of an object with the body, for what outlasts the message. */
export async function objectKeyOf(
  key: string,
  name: string,
  { store }: { store(name: string, content: Uint8Array): Promise<string> },
): Promise<string> {
  const body = bodyOfKey(key);
  return body === undefined ? key : store(name, body);
}

/** The response with its body in an object. */
export async function withStoredBody(
  response: InboundResponse,
  bodies: Parameters<typeof objectKeyOf>[2],
): Promise<InboundResponse> {
  const { request, outcome } = response;
  if (outcome.type !== "answered" || outcome.bodyKey === undefined) return response;
  const bodyKey = await objectKeyOf(outcome.bodyKey, `${request.id}-read`, bodies);
  return { request, outcome: { ...outcome, bodyKey } };
}
