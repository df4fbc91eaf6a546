import type { Refusal } from "../address/refusal.ts";
/** One exchange of a chain of redirects. */
export interface Hop {
  url: string;
  status: number;
  /** A rule of HTTP that the response breaks, if it was read tolerantly. For people. */
  warning?: string | undefined;
}

/**
 * The reason why a request has no usable response.
 * - `dns`, `connect`, `reset`, `timeout`: transport failures, which may be temporary
 * - `enhance-your-calm`: the HTTP/2 error that slows clients down; Node also reports it for more than 128 header fields
 * - `tls`: no agreement on encryption, which does not indicate that the host is overloaded
 * - `transport-unavailable`: the transport cannot be reached, which says nothing about the host
 * - all others: final faults of the host itself
 */
export type FailureReason =
  | "dns"
  | "connect"
  | "tls"
  | "reset"
  | "timeout"
  | "bad-http"
  | "bad-encoding"
  | "enhance-your-calm"
  | "headers-too-large"
  | "body-too-large"
  | "decompression-ratio"
  | "transport-unavailable";

/** The reason why the requested body of a response could not be read. Status and headers are valid. */
export interface BodyProblem {
  reason: FailureReason;
  detail: string;
}

export type ExchangeOutcome =
  | {
      type: "answered";
      status: number;
      /**
       * Names are in lower case. The values of a repeated header are joined by ", " (set-cookie and location: by "\n").
       */
      headers: Record<string, string>;
      /** Decompressed; empty when there is a body problem. */
      body: Uint8Array;
      bodyProblem?: BodyProblem;
      /** The rules of HTTP that the response breaks, if it was read tolerantly. For people. */
      warnings?: string[];
      /** The body, if it was passed to a store instead. */
      stored?: StoredBody;
      /** Set when a transport answered in place of the host: the transport's message to the reader. */
      transport?: Record<string, unknown>;
      elapsedMs: number;
    }
  | Refusal
  | {
      type: "failed";
      reason: FailureReason;
      detail: string;
      elapsedMs: number;
      /** The bytes that a capture has stored: an incomplete response, or bytes that are not the head of a response. */
      stored?: StoredBody;
      /** The Retry-After of a transport that is unavailable. */
      retryAfter?: string;
    };

export type Answer = Extract<ExchangeOutcome, { type: "answered" }>;
export type Failure = Extract<ExchangeOutcome, { type: "failed" }>;

/**
 * How the body of a response is read.
 * - `keep`: the whole body, within the limits
 * - `discard`: no body. A small body that arrives soon is read to keep the connection; its problems are ignored
 * - `firstBytes`: at most this number of decompressed bytes; the rest is ignored
 * - `peekBytes`: as `discard`, but the first decompressed bytes are returned, at most this number, as far as they arrive
 * - a store: the whole body, decompressed, without being held in memory; an incomplete body leaves no object
 */
export type BodyMode = "keep" | "discard" | { firstBytes: number } | PeekMode | StoreMode;

export interface PeekMode {
  peekBytes: number;
}

/** A store for content that is too large to be held in memory. */
export interface StoreMode {
  /** The largest size of the body as it is stored. */
  maxBytes: number;
  /**
   * Whether the received part of a body is stored if the host or the exchange's deadline interrupts it, so that the
   * download can be resumed. Compressed bodies are excluded, because their rest cannot be requested.
   */
  keepIncomplete?: true | undefined;
  /** Stores the content and returns its key. If the iteration throws, the promise rejects and no object is left. */
  store(content: AsyncIterable<Uint8Array>): Promise<string>;
}

/** A body in a store. */
export interface StoredBody {
  key: string;
  /** The size of the object. */
  sizeBytes: number;
  /** The SHA-256 of the body, hexadecimal. Absent for a captured response, which has other digests. */
  sha256?: string;
  /** Set when the rest of the body is missing (see `keepIncomplete`). */
  isIncomplete?: true;
  /** Set when the object is a captured response. */
  capture?: CaptureFacts;
}

/** The facts that a WARC record states about a captured exchange. */
export interface CaptureFacts {
  /** The start of the request: ISO 8601, UTC. */
  startedAt: string;
  /** The request as it was sent, in Latin-1. */
  requestHead: string;
  /** The IP address of the server that responded. */
  address?: string;
  /** The size of the informational responses (1xx), which are at the beginning of the object. */
  informationalBytes?: number;
  /**
   * The size of the response's head, after which the body begins; the size of the whole response if no head could be
   * read.
   */
  headBytes: number;
  /** The SHA-1 of the response, hexadecimal. */
  sha1: string;
  /** The size of the body without its transfer coding, but with its content coding. */
  payloadBytes: number;
  /** The SHA-1 of the payload, hexadecimal. */
  payloadSha1: string;
  /** The reason why the response is incomplete. */
  truncated?: "length" | "time" | "disconnect" | "unspecified";
}

/** Returns the exchange as a hop of its chain. */
export function hopOf(url: string, { status, warnings }: Pick<Answer, "status" | "warnings">): Hop {
  if (warnings === undefined) return { url, status };
  return { url, status, warning: `not valid HTTP, read as browsers do: ${warnings.join(", ")}` };
}

/** The part of a response that arrives before its body. */
export type AnswerHead = Pick<Answer, "status" | "headers">;

export type Method = "GET" | "HEAD" | "POST" | "PUT";
