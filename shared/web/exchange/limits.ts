/**
 * The limits of one exchange. It lasts at most `headersMs` + `bodyMs`, or `headersMs` + `streamMs` for a streamed body.
 */
export interface ExchangeLimits {
  /** Covers name resolution, TCP and TLS together. Times above one second are measured in half seconds. */
  connectMs: number;
  /** From the start of the connection to the end of the headers. */
  headersMs: number;
  /** From the end of the headers to the end of the body. */
  bodyMs: number;
  /** The limit of `bodyMs` for a body that is streamed to a store. */
  streamMs: number;
  headerBytes: number;
  /** The size of a kept body, before and after decompression. */
  bodyBytes: number;
  /**
   * The part of a discarded body that is read to keep the connection, and the time for it. Beyond these limits, a new
   * connection is cheaper.
   */
  drainBytes: number;
  drainMs: number;
  /** The most decompressed bytes per compressed byte. */
  decompressionRatio: number;
  /** The ratio is not checked up to this size, because an empty page template may shrink a thousandfold. */
  ratioFreeBytes: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;

export const defaultLimits: ExchangeLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 60_000,
  // Enough for 2 GB at 11 MB/s. The gate's function has five minutes.
  streamMs: 180_000,
  // As in browsers. Content security policies and cookies of publishers exceed Node's default of 16 KiB.
  headerBytes: 256 * KiB,
  // OAI-PMH pages of 1,000 MARC records come close to 10 MiB.
  bodyBytes: 32 * MiB,
  drainBytes: 256 * KiB,
  // A new connection to the other side of the world takes one second with TLS.
  drainMs: 1000,
  // XML lists are compressed by a factor of 10 to 50. DEFLATE cannot exceed a factor of 1,032.
  decompressionRatio: 200,
  ratioFreeBytes: MiB,
};

/**
 * Returns the limits of exchanges that last no longer than `exchangeMaxMs`. The headers get a third of the time, as in
 * the default limits.
 */
export function limitsWithin(exchangeMaxMs: number): Pick<ExchangeLimits, "headersMs" | "bodyMs"> {
  const headersMs = Math.floor(exchangeMaxMs / 3);
  return { headersMs, bodyMs: exchangeMaxMs - headersMs };
}

/**
 * Returns the part of the connect timeout that is used for name resolution. This part is shorter than the whole, so
 * that an unresolved name is not reported as a connection timeout.
 */
export function lookupTimeoutMs({ connectMs }: Pick<ExchangeLimits, "connectMs">): number {
  return 0.6 * connectMs;
}

/**
 * Returns the time in which each address of a host must connect, if the host has further addresses. Node's default of
 * 250 ms is less than a round trip around the world: on a machine without IPv6, distant hosts with an IPv6 address
 * could not be reached.
 */
export function perAddressTimeoutMs({ connectMs }: Pick<ExchangeLimits, "connectMs">): number {
  return Math.round(0.25 * connectMs);
}
