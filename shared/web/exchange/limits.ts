/**
 * The limits of one exchange. It lasts at most `headersMs` + `bodyMs`, or `headersMs` + `streamMs` for a streamed body.
 */
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
  /** The size of a kept body, before and after decompression. */
  bodyBytes: number;
  /** How much of a discarded body is read to keep the connection, and for how long. Beyond it closing is cheaper. */
  drainBytes: number;
  drainMs: number;
  /** Decompressed bytes per compressed byte. */
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
  // 2 GB at 11 MB/s. The gate's function has five minutes.
  streamMs: 180_000,
  // Content security policies and cookies of publishers exceed Node's default of 16 KiB.
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

/** The limits of exchanges that last no longer than this. The headers get a third, as by default. */
export function limitsWithin(exchangeMaxMs: number): Pick<ExchangeLimits, "headersMs" | "bodyMs"> {
  const headersMs = Math.floor(exchangeMaxMs / 3);
  return { headersMs, bodyMs: exchangeMaxMs - headersMs };
}

/**
 * The part of the connect timeout for name resolution. It is shorter than the whole, so that an unresolved name is not
 * reported as a connection timeout.
 */
export function lookupTimeoutMs({ connectMs }: Pick<ExchangeLimits, "connectMs">): number {
  return 0.6 * connectMs;
}

/**
 * How long each address of a host may take to connect while another one is left. Node's 250 ms are less than a round
 * trip around the world: without IPv6 here, distant hosts with an IPv6 address could not be reached.
 */
export function perAddressTimeoutMs({ connectMs }: Pick<ExchangeLimits, "connectMs">): number {
  return Math.round(0.25 * connectMs);
}
