import type { Refusal } from "../address/refusal.ts";
/** One exchange of a chain of redirects. */
export interface Hop {
  url: string;
  status: number;
  /** What is wrong with the bytes of its response, which was read tolerantly. For people. */
  warning?: string | undefined;
}

/**
 * Why a request has no usable answer.
 * - `dns`, `connect`, `reset`, `timeout`: transport failures, which may pass
 * - `enhance-your-calm`: the HTTP/2 error that slows clients down; Node also reports it for more than 128 header fields
 * - `tls`: no agreement on encryption; it says nothing about the host's load
 * - `transport-unavailable`: the transport cannot be reached; it says nothing about the host
 * - the others are the host's own doing, and final
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

/** Why the requested body of a response could not be read. Status and headers are valid. */
export interface BodyProblem {
  reason: FailureReason;
  detail: string;
}

export type ExchangeOutcome =
  | {
      type: "answered";
      status: number;
      /** Names in lower case; of repeated headers all values, joined by ", " (set-cookie and location: by "\n"). */
      headers: Record<string, string>;
      /** Decompressed; empty when there is a problem with it. */
      body: Uint8Array;
      bodyProblem?: BodyProblem;
      /** What breaks the rules of HTTP in a response that was read tolerantly, for people. */
      warnings?: string[];
      /** A body that went to a store instead. */
      stored?: StoredBody;
      /** Set when a transport answered in the host's place: its message to the reader. */
      transport?: Record<string, unknown>;
      elapsedMs: number;
    }
  | Refusal
  | {
      type: "failed";
      reason: FailureReason;
      detail: string;
      elapsedMs: number;
      /** What a capture has stored of it: bytes that are not the head of a response, or not all of one. */
      stored?: StoredBody;
      /** The Retry-After of a transport that is unavailable. */
      retryAfter?: string;
    };

export type Answer = Extract<ExchangeOutcome, { type: "answered" }>;
export type Failure = Extract<ExchangeOutcome, { type: "failed" }>;

/**
 * How an answer's body is read.
 * - `keep`: all of it, within the limits
 * - `discard`: nothing. A small body that arrives soon is read to keep the connection. Its problems are ignored
 * - `firstBytes`: at most this number of bytes, decompressed. The rest is ignored
 * - a store: all of it, decompressed, without being held in memory; an incomplete one leaves no object
 */
export type BodyMode = "keep" | "discard" | { firstBytes: number } | StoreMode;

/** A store for what is too large to be held in memory. */
export interface StoreMode {
  /** The size of the body as it is stored. */
  maxBytes: number;
  /**
   * Whether a body that is interrupted, by the host or at our deadline, is stored as far as it has come, so that it can
   * be continued. A compressed one is not: its rest could not be asked for.
   */
  keepIncomplete?: true | undefined;
  /** Stores the content and gives its key. When the iteration throws, it rejects and no object is left. */
  store(content: AsyncIterable<Uint8Array>): Promise<string>;
}

/** A body in a store. */
export interface StoredBody {
  key: string;
  /** The size of the object. */
  sizeBytes: number;
  /** The SHA-256 of the body, hexadecimal; absent of a response as it came, which has other digests. */
  sha256?: string;
  /** Set when the rest of the body is missing; see `keepIncomplete`. */
  isIncomplete?: true;
  /** Set when the object is an answer as it came. */
  capture?: CaptureFacts;
}

/** What a WARC record says about a captured exchange. */
export interface CaptureFacts {
  /** ISO 8601, UTC: when the request was begun. */
  startedAt: string;
  /** The request as it was sent, in Latin-1. */
  requestHead: string;
  /** The IP address that answered. */
  address?: string;
  /** The size of the object, at its beginning: informational responses (1xx), which came before the response. */
  informationalBytes?: number;
  /** The head of the response: where its body begins; all of it when no head could be read. */
  headBytes: number;
  /** The SHA-1 of the response, hexadecimal. */
  sha1: string;
  /** The body without its transfer coding; its content coding stays. */
  payloadBytes: number;
  /** The SHA-1 of the payload, hexadecimal. */
  payloadSha1: string;
  /** Why the response is not whole. */
  truncated?: "length" | "time" | "disconnect" | "unspecified";
}

/** The exchange as a part of its chain. */
export function hopOf(url: string, { status, warnings }: Pick<Answer, "status" | "warnings">): Hop {
  if (warnings === undefined) return { url, status };
  return { url, status, warning: `not valid HTTP, read as browsers do: ${warnings.join(", ")}` };
}

/** The part of a response that arrives before its body. */
export type AnswerHead = Pick<Answer, "status" | "headers">;

export type Method = "GET" | "HEAD" | "POST" | "PUT";
