import { PassThrough } from "node:stream";
import type { BodyProblem, CaptureFacts, StoredBody, StoreMode } from "./exchange.ts";
import { addPiece, HeldHash } from "./held-hash.ts";
import { TolerantBody } from "./tolerant/tolerant-body.ts";
import { readTolerantHead } from "./tolerant/tolerant-head.ts";
import type { WireListener } from "./tolerant/wire-tap.ts";

/** The size at which reading from the connection pauses until the store has caught up. */
const bufferBytes = 1024 * 1024;

/** The size up to which a response is passed to the store in one piece, without a stream. */
const maxHeldBytes = 256 * 1024;

/** The head of a request has a few hundred bytes, and its URL up to 8 KiB. */
const maxRequestBytes = 32 * 1024;

/** The WARC reason why a capture is truncated, by the problem with the body. */
const truncations: Partial<Record<BodyProblem["reason"], CaptureFacts["truncated"]>> = {
  timeout: "time",
  reset: "disconnect",
  "body-too-large": "length",
  "headers-too-large": "length",
};

/**
 * Stores a response as it was received: the informational responses before it, the status line, the headers, and the
 * body in its transfer coding. Bytes after the body are not stored. An interrupted response is stored up to the
 * interruption. Bytes that are not a valid head are stored, too.
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#response
 */
export class AnswerCapture implements WireListener {
  /** The stored response. Rejects with the store's error, or when the exchange ends without a response. */
  readonly done: Promise<{ stored: StoredBody; problem?: BodyProblem }>;
  private readonly mode: StoreMode;
  private readonly method: string;
  /** The bytes that are not in the stream yet. */
  private held: Uint8Array[] = [];
  /** Set when the response has become too large to be held. */
  private out: PassThrough | undefined;
  private readonly started = Promise.withResolvers<void>();
  private readonly block = new HeldHash();
  private readonly payload = new HeldHash();
  private readonly startedAt = new Date();
  private sent = "";
  private address: string | undefined;
  /** The part of the head that has arrived. */
  private wire: Buffer = Buffer.alloc(0);
  /** Responses with 1xx, which precede the final one. */
  private readonly informational: Buffer[] = [];
  private body: TolerantBody | undefined;
  private headBytes = 0;
  private informationalBytes = 0;
  /** The size of the response, without the informational responses. */
  private sizeBytes = 0;
  private payloadBytes = 0;
  private problem: BodyProblem | undefined;
  private hasEnded = false;

  constructor(mode: StoreMode, method: string) {
    this.mode = mode;
    this.method = method;
    this.done = this.store();
    this.done.catch(() => {});
  }

  onSent(bytes: Buffer, address: string | undefined): void {
    this.address = address;
    if (this.sent.length < maxRequestBytes) this.sent += bytes.toString("latin1");
  }

  onReceived(bytes: Buffer): void {
    if (this.hasEnded) return;
    let rest: Buffer | undefined = bytes;
    while (this.body === undefined && rest !== undefined) rest = this.readHead(rest);
    if (rest !== undefined) this.addBody(rest);
  }

  /** Whether a part of a response has arrived. */
  get hasBegun(): boolean {
    return this.wire.byteLength > 0 || this.informational.length > 0 || this.body !== undefined;
  }

  /** Returns whether the store is behind. In that case, the caller must not read until `onDrain` is called. */
  pauses(onDrain: () => void): boolean {
    if (this.out === undefined || this.out.writableLength < bufferBytes || this.out.destroyed) return false;
    this.out.once("drain", onDrain);
    return true;
  }

  /** Called when the whole response has arrived. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.body === undefined) this.takeAsHead();
    if (this.out === undefined) this.started.resolve();
    else this.out.end();
  }

  /** Called when the rest of the response will not arrive, or is not wanted. */
  fail(problem: BodyProblem): void {
    if (this.hasEnded) return;
    this.problem = problem;
    this.end();
  }

  /** Called when there is no response to store, or the response is not wanted. */
  discard(): void {
    this.hasEnded = true;
    this.started.reject(new Error("no answer"));
    this.out?.destroy(new Error("no answer"));
  }

  /** @returns the bytes after a head; undefined when it is incomplete */
  private readHead(bytes: Buffer): Buffer | undefined {
    this.wire = this.wire.byteLength === 0 ? bytes : Buffer.concat([this.wire, bytes]);
    const reading = readTolerantHead(this.wire, this.method);
    // The exchange itself fails for a response that no parser understands, and for one whose end is ambiguous.
    if (reading.type !== "head" || reading.head.framing.type === "ambiguous") return undefined;
    const { framing } = reading.head;
    const head = this.wire.subarray(0, reading.lengthBytes);
    const rest = this.wire.subarray(reading.lengthBytes);
    this.wire = Buffer.alloc(0);
    if (reading.head.status < 200) {
      this.informational.push(head);
      return rest;
    }
    this.storeInformational();
    this.body = new TolerantBody(framing);
    this.headBytes = head.byteLength;
    this.write(head);
    return rest;
  }

  private storeInformational(): void {
    for (const head of this.informational.splice(0)) {
      this.informationalBytes += head.byteLength;
      this.held.push(head);
    }
  }

  /**
   * Takes all received bytes for a head, because no final head was found. A response that only the exchange understands
   * has no body here.
   */
  private takeAsHead(): void {
    this.problem ??= { reason: "bad-http", detail: "the end of the response's head cannot be determined" };
    const all = Buffer.concat([...this.informational, this.wire]);
    this.headBytes = all.byteLength;
    this.write(all);
  }

  private addBody(bytes: Buffer): void {
    if (this.body === undefined || this.body.isComplete) return;
    const room = this.mode.maxBytes - (this.sizeBytes - this.headBytes);
    const taken = bytes.subarray(0, room);
    const problem = this.body.add(taken, (content) => {
      this.payload.update(content);
      this.payloadBytes += content.byteLength;
    });
    this.write(taken.subarray(0, taken.byteLength - this.body.surplusBytes));
    if (problem !== undefined) this.fail({ reason: "bad-http", detail: problem });
    else if (bytes.byteLength > room && !this.body.isComplete) {
      this.fail({ reason: "body-too-large", detail: `more than ${this.mode.maxBytes} bytes` });
    }
  }

  private write(bytes: Buffer): void {
    if (bytes.byteLength === 0) return;
    this.sizeBytes += bytes.byteLength;
    this.block.update(bytes);
    if (this.out !== undefined) {
      this.out.write(bytes);
      return;
    }
    addPiece(this.held, bytes);
    if (this.sizeBytes > maxHeldBytes) this.beginStream();
  }

  private beginStream(): void {
    this.out = new PassThrough({ highWaterMark: bufferBytes });
    this.out.on("error", () => {});
    for (const bytes of this.held.splice(0)) this.out.write(bytes);
    this.started.resolve();
  }

  private async store(): Promise<{ stored: StoredBody; problem?: BodyProblem }> {
    await this.started.promise;
    try {
      const key = await this.mode.store(this.out ?? eachOf(this.held));
      const sizeBytes = this.informationalBytes + this.sizeBytes;
      const stored = { key, sizeBytes, capture: this.facts() };
      return { stored, ...(this.problem && { problem: this.problem }) };
    } finally {
      this.out?.destroy();
    }
  }

  private facts(): CaptureFacts {
    const { problem, address, informationalBytes } = this;
    return {
      startedAt: this.startedAt.toISOString(),
      requestHead: this.sent,
      ...(address !== undefined && { address }),
      ...(informationalBytes > 0 && { informationalBytes }),
      headBytes: this.headBytes,
      sha1: this.block.digest(),
      payloadBytes: this.payloadBytes,
      payloadSha1: this.payload.digest(),
      ...(problem && { truncated: truncations[problem.reason] ?? "unspecified" }),
    };
  }
}

async function* eachOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
