/** What one exchange may cost us. It lasts `headersMs` + `bodyMs` at most; with a body that goes to a store, `headersMs` + `streamMs`. */
export interface ExchangeLimits {
  /** For name resolution, TCP and TLS together. Counted in half seconds when above one second. */
  connectMs: number;
  /** From the request to the end of the headers, including the connection. */
  headersMs: number;
  /** From the end of the headers to the end of the body. */
  bodyMs: number;
  /** The same for a body that is streamed to a store. */
  streamMs: number;
  headerBytes: number;
  /** Of a kept body, before and after decompression. */
  bodyBytes: number;
  /** How much of a discarded body is read to keep the connection, and for how long. Beyond it closing is cheaper. */
  drainBytes: number;
  drainMs: number;
  /** Decompressed bytes per compressed byte. */
  decompressionRatio: number;
  /** Up to this size the ratio is not checked: an empty page template shrinks a thousandfold, and is harmless. */
  ratioFreeBytes: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

export const defaultLimits: ExchangeLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 60_000,
  // 2 GB at 11 MB/s. The gate's function has five minutes.
  streamMs: 180_000,
  // Content security policies and cookies of publishers go beyond Node's own 16 KiB.
  headerBytes: 64 * KiB,
  // OAI-PMH pages of 1,000 MARC records come close to 10 MiB.
  bodyBytes: 32 * MiB,
  drainBytes: 256 * KiB,
  // A new connection to the other side of the world, with TLS, takes a second.
  drainMs: 1000,
  // XML lists shrink 10 to 50 times; DEFLATE cannot exceed 1,032.
  decompressionRatio: 200,
  ratioFreeBytes: MiB,
};

/**
 * The part of the connect timeout that name resolution may take: less than all, so that an unresolved name is not reported
 * as a host that does not answer.
 */
export function lookupTimeoutMs({ connectMs }: Pick<ExchangeLimits, "connectMs">): number {
  return 0.6 * connectMs;
}

/**
 * What each address of a host may take to answer while there is another one to try. Node's quarter of a second is less than
 * the way around the world and back: hosts there that have an IPv6 address, too, could not be reached where there is no IPv6.
 */
export function perAddressTimeoutMs({ connectMs }: Pick<ExchangeLimits, "connectMs">): number {
  return Math.round(0.25 * connectMs);
}
