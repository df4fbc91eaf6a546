import { promisify } from "node:util";
import { brotliDecompress, inflate, inflateRaw, zstdDecompress } from "node:zlib";
import type { BodyProblem } from "./exchange.ts";
import { ungzip } from "./gzip.ts";
import type { ExchangeLimits } from "./limits.ts";

export type DecodedBody = { type: "decoded"; body: Uint8Array } | ({ type: "failed" } & BodyProblem);

type Decoder = (
  wire: Uint8Array,
  options: { maxOutputLength: number; chunkSize: number },
) => Promise<Uint8Array>;

const inflateAsync: Decoder = promisify(inflate);
const inflateRawAsync: Decoder = promisify(inflateRaw);

/** @see https://www.iana.org/assignments/http-parameters/http-parameters.xhtml#content-coding */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["gzip", ungzip],
  ["x-gzip", ungzip],
  ["deflate", (wire, options) => (hasZlibHeader(wire) ? inflateAsync : inflateRawAsync)(wire, options)],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

/**
 * Registered encodings that are not supported. Any other name, such as `utf-8` or `none`, is not an encoding and is
 * ignored.
 */
const otherEncodings: ReadonlySet<string> = new Set([
  "aes128gcm",
  "compress",
  "dcb",
  "dcz",
  "exi",
  "pack200-gzip",
  "x-compress",
]);

/** The Accept-Encoding of requests. */
export const acceptEncoding = "gzip, deflate, br, zstd";

/** Bodies with more encodings are rejected, because no host needs them. */
const maxEncodings = 3;

const chunkSize = 64 * 1024;

/**
 * Decodes the content encodings of a complete body, the last one first. The decoders stop at the limits, which bounds memory.
 * @param contentEncoding the header's value
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-content-encoding
 */
export async function decodeBody(
  wire: Uint8Array,
  contentEncoding: string,
  limits: ExchangeLimits,
): Promise<DecodedBody> {
  const encodings = encodingsOf(contentEncoding);
  if (encodings.length > maxEncodings)
    return badEncoding(`${encodings.length} encodings on top of each other`);

  const ratioBytes = Math.max(limits.ratioFreeBytes, wire.byteLength * limits.decompressionRatio);
  const options = { maxOutputLength: Math.min(limits.bodyBytes, ratioBytes), chunkSize };
  let body = wire;
  for (const encoding of encodings) {
    // Some hosts name an encoding for an empty body.
    if (body.byteLength === 0) break;
    const decode = decoders.get(encoding);
    if (decode === undefined) return badEncoding(`encoding ${encoding}, which is not supported`);
    try {
      body = await decode(body, options);
    } catch (error) {
      if (!isTooLarge(error))
        return badEncoding(`not ${encoding}: ${error instanceof Error ? error.message : error}`);
      return options.maxOutputLength < limits.bodyBytes
        ? tooLarge(
            "decompression-ratio",
            `more than ${limits.decompressionRatio} times the ${wire.byteLength} bytes sent`,
          )
        : tooLarge("body-too-large", `more than ${limits.bodyBytes} bytes when decompressed`);
    }
  }
  return { type: "decoded", body };
}

/** Returns the encodings that a header names, in the order of decoding: the last one first. */
export function encodingsOf(contentEncoding: string): string[] {
  return contentEncoding
    .split(",")
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => decoders.has(encoding) || otherEncodings.has(encoding))
    .reverse();
}

function badEncoding(detail: string): DecodedBody {
  return { type: "failed", reason: "bad-encoding", detail };
}

function tooLarge(reason: "decompression-ratio" | "body-too-large", detail: string): DecodedBody {
  return { type: "failed", reason, detail };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

/**
 * Decides whether data has a zlib header. `deflate` means the zlib format, but some servers send bare DEFLATE.
 * @see https://www.rfc-editor.org/rfc/rfc1950#section-2.2
 */
export function hasZlibHeader([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}
