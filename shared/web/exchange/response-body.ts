import type { AnswerCapture } from "./answer-capture.ts";
import { BodyBuffer } from "./body-buffer.ts";
import { type BodyPlace, noMemory, smallBodyBytes } from "./body-memory.ts";
import { decodeBodyStart } from "./body-start.ts";
import { BodyUpload } from "./body-upload.ts";
import { type DecodedBody, decodeBody } from "./decode-body.ts";
import type { BodyMode, BodyProblem, StoredBody, StoreMode } from "./exchange.ts";
import type { ExchangeLimits } from "./limits.ts";

const noBytes = new Uint8Array(0);

/** The result of reading a body: its bytes, its place in a store, or a problem. */
export interface BodyResult {
  bytes: Uint8Array;
  stored?: StoredBody;
  problem?: BodyProblem;
}

/** The events that a body reports to its exchange. */
export interface BodyListener {
  /** Called when all needed bytes of the body have arrived, so that the deadline no longer applies. */
  onRead(): void;
  /** Called when the exchange ends with this result. */
  onDone(result: BodyResult): void;
  /** Called when the store failed or no memory is free. The exchange ends with the error. */
  onError(error: unknown): void;
  /** Called when the rest of the response is not needed. */
  abandonRest(): void;
}

/** The connection on which a body arrives. */
interface Connection {
  pause(): void;
  resume(): void;
}

/** Reads the body of one response in the given mode, within the limits. */
export class ResponseBody {
  private readonly mode: BodyMode;
  private readonly contentEncoding: string | undefined;
  private readonly limits: ExchangeLimits;
  private readonly listener: BodyListener;
  private readonly wire: BodyBuffer;
  private readonly capture: AnswerCapture | undefined;
  private readonly place: BodyPlace | undefined;
  /**
   * The state of the place of a large body: not needed so far, waited for, taken immediately, or taken after a wait.
   */
  private placed: "no" | "waiting" | "at once" | "late" = "no";
  /** NaN when the length is unknown. */
  private contentLength = Number.NaN;
  private wireBytes = 0;
  /** Set when no more bytes are read, because the result is known or being decoded. */
  private hasEnded = false;
  /** Set when the body goes to a store. */
  private upload: BodyUpload | undefined;

  constructor(
    mode: BodyMode,
    given: {
      contentEncoding: string | undefined;
      limits: ExchangeLimits;
      listener: BodyListener;
      /** Stores the response, which it receives directly from the connection. */
      capture?: AnswerCapture | undefined;
      /** The place that gives a large body its memory. */
      place?: BodyPlace | undefined;
    },
  ) {
    this.mode = mode;
    this.contentEncoding = given.contentEncoding;
    this.limits = given.limits;
    this.listener = given.listener;
    this.capture = given.capture;
    this.place = given.place;
    this.wire = new BodyBuffer(this.limits.bodyBytes);
    this.capture?.done.then(({ stored, problem }) => {
      this.finish({ bytes: noBytes, stored, ...(problem && { problem }) });
      if (problem) this.listener.abandonRest();
    }, this.onError);
  }

  /** Whether no more bytes are read, so that a later failure of the connection has no effect. */
  get isRead(): boolean {
    return this.hasEnded;
  }

  /** The number of bytes that have arrived, before decompression. */
  get receivedBytes(): number {
    return this.wireBytes;
  }

  /** The longest time for reading the body. */
  get maxMs(): number {
    const { bodyMs, drainMs, streamMs } = this.limits;
    if (this.isDiscarded) return Math.min(drainMs, bodyMs);
    return this.streamMode === undefined ? bodyMs : streamMs;
  }

  /**
   * Prepares for the first chunk.
   * @param contentLength `undefined` for a response without a body; NaN when the length is unknown
   */
  start(contentLength: number | undefined): void {
    if (contentLength === undefined) return;
    this.contentLength = contentLength;
    if (this.capture !== undefined) return;
    const stream = this.streamMode;
    if (stream !== undefined) this.startUpload(stream, this.contentEncoding ?? "");
    this.enforceLimit(contentLength);
  }

  add(chunk: Uint8Array, connection: Connection): void {
    if (this.hasEnded) return;
    this.wireBytes += chunk.byteLength;
    this.takePlace(connection);
    const resume = () => {
      if (this.placed !== "waiting") connection.resume();
    };
    if (this.capture !== undefined) {
      if (this.capture.pauses(resume)) connection.pause();
      return;
    }
    if (this.upload !== undefined) {
      if (!this.upload.write(chunk, resume)) connection.pause();
      return;
    }
    const { peekBytes } = this;
    if (peekBytes !== undefined && this.wireBytes - chunk.byteLength < peekBytes) this.wire.add(chunk);
    this.enforceLimit(this.wireBytes);
    if (this.isDiscarded || this.hasEnded) return;
    this.wire.add(chunk);
    if (this.hasFirstBytes) {
      void this.decode();
      this.listener.abandonRest();
    }
  }

  /** Called when the whole body has arrived. */
  end(): void {
    if (this.hasEnded) return;
    const store = this.capture ?? this.upload;
    if (store !== undefined) {
      this.listener.onRead();
      store.end();
      return;
    }
    if (this.wireBytes === 0 || this.mode === "discard") this.finish({ bytes: noBytes });
    else void this.decode();
  }

  /** Called when the deadline has passed. A host is not blamed if it had to wait for this process to get memory. */
  timeOut(): void {
    const store = this.capture ?? this.upload;
    if (this.placed === "late" && store === undefined) this.giveUp(noMemory());
    else this.fail({ reason: "timeout", detail: `no complete body within ${this.maxMs} ms` });
  }

  /** Called when the rest of the body will not arrive. */
  fail(problem: BodyProblem): void {
    const store = this.capture ?? this.upload;
    if (this.placed === "waiting") this.giveUp(noMemory());
    else if (store !== undefined) store.fail(problem);
    else void this.decode(problem);
  }

  /** Called when the caller has aborted the exchange. A stream to the store then ends with an error. */
  abort(): void {
    this.capture?.discard();
    this.upload?.fail({ reason: "reset", detail: "abandoned" });
  }

  /** Takes memory for a large body. While no memory is free, nothing more is read. */
  private takePlace(connection: Connection): void {
    if (this.placed !== "no" || !this.isLarge) return;
    const taking = this.place?.take();
    this.placed = taking === undefined ? "at once" : "waiting";
    if (taking === undefined) return;
    connection.pause();
    taking.then(
      () => {
        this.placed = "late";
        if (!this.hasEnded) connection.resume();
      },
      (error) => {
        if (!this.hasEnded) this.giveUp(error);
      },
    );
  }

  private giveUp(error: unknown): void {
    this.abort();
    this.onError(error);
  }

  /** Whether the body exceeds the memory that each exchange has. The size of a compressed stream is not known. */
  private get isLarge(): boolean {
    if (this.isDiscarded || (typeof this.mode === "object" && "firstBytes" in this.mode)) return false;
    return (
      Math.max(this.wireBytes, this.contentLength || 0) > smallBodyBytes ||
      (this.upload !== undefined && this.contentEncoding !== undefined)
    );
  }

  /** The number of bytes that are returned of a body that is otherwise discarded. */
  private get peekBytes(): number | undefined {
    return typeof this.mode === "object" && "peekBytes" in this.mode ? this.mode.peekBytes : undefined;
  }

  private get isDiscarded(): boolean {
    return this.mode === "discard" || this.peekBytes !== undefined;
  }

  private get streamMode(): StoreMode | undefined {
    return typeof this.mode === "object" && "store" in this.mode ? this.mode : undefined;
  }

  private startUpload(mode: StoreMode, contentEncoding: string): void {
    this.upload = new BodyUpload(mode, contentEncoding);
    this.upload.done.then((result) => {
      this.finish({ bytes: noBytes, ...result });
      if ("problem" in result) this.listener.abandonRest();
    }, this.onError);
  }

  private readonly onError = (error: unknown): void => {
    this.listener.onError(error);
    this.listener.abandonRest();
  };

  /** Stops reading when the body or its Content-Length exceeds the limit. */
  private enforceLimit(bytes: number): void {
    const { bodyBytes, drainBytes } = this.limits;
    if (this.mode === "keep") {
      if (bytes > bodyBytes) this.stop({ reason: "body-too-large", detail: `more than ${bodyBytes} bytes` });
    } else if (this.mode === "discard") {
      if (bytes > drainBytes) this.stop();
    } else if (this.peekBytes !== undefined) {
      if (this.wireBytes > drainBytes) {
        void this.decode();
        this.listener.abandonRest();
      }
    } else if (this.upload !== undefined && bytes > this.storableBytes) {
      this.upload.fail({ reason: "body-too-large", detail: `more than ${this.storableBytes} bytes` });
    }
  }

  /**
   * The number of bytes that may still arrive for the store. It is unlimited for a compressed body, whose limit applies
   * after decompression.
   */
  private get storableBytes(): number {
    const stream = this.streamMode;
    return stream !== undefined && this.contentEncoding === undefined
      ? stream.maxBytes
      : Number.POSITIVE_INFINITY;
  }

  /**
   * Whether enough bytes have arrived for a mode that needs only the first bytes. Compressed bytes may be longer than
   * their content.
   */
  private get hasFirstBytes(): boolean {
    if (typeof this.mode === "string" || !("firstBytes" in this.mode)) return false;
    const isCompressed = this.contentEncoding !== undefined;
    return this.wireBytes >= (isCompressed ? 2 : 1) * this.mode.firstBytes;
  }

  /**
   * Ends with the decoded bytes so far. @param problem why the rest is missing, unless reading was stopped on purpose
   */
  private async decode(problem?: BodyProblem): Promise<void> {
    this.hasEnded = true;
    this.listener.onRead();
    const { bytes } = this.wire;
    const encoding = this.contentEncoding ?? "";
    const { peekBytes } = this;
    if (peekBytes !== undefined) {
      const isPlain = encoding === "";
      return this.finish({
        bytes: isPlain ? bytes.subarray(0, peekBytes) : await decodeBodyStart(bytes, encoding, peekBytes),
      });
    }
    if (typeof this.mode !== "string" && "firstBytes" in this.mode) {
      const { firstBytes } = this.mode;
      const start = await decodeBodyStart(bytes, encoding, firstBytes);
      if (start.byteLength === firstBytes) return this.finish({ bytes: start });
    }
    if (problem !== undefined) return this.finish({ bytes: noBytes, problem });
    if (encoding === "") return this.finish({ bytes });
    try {
      const decoded = await this.decodeWithPlace(bytes, encoding);
      if (decoded.type === "decoded") return this.finish({ bytes: decoded.body });
      const { reason, detail } = decoded;
      this.finish({ bytes: noBytes, problem: { reason, detail } });
    } catch (error) {
      this.listener.onError(error);
    }
  }

  /**
   * Decodes a body that may turn out to be large; in that case, it takes a place. @throws ThrottledError when no place
   * becomes free in time
   */
  private async decodeWithPlace(bytes: Uint8Array, encoding: string): Promise<DecodedBody> {
    if (this.placed === "no" && this.place !== undefined) {
      const bodyBytes = Math.min(this.limits.bodyBytes, smallBodyBytes);
      const decoded = await decodeBody(bytes, encoding, { ...this.limits, bodyBytes });
      if (decoded.type === "decoded" || decoded.reason !== "body-too-large") return decoded;
    }
    await this.place?.take();
    return decodeBody(bytes, encoding, this.limits);
  }

  private stop(problem?: BodyProblem): void {
    this.finish({ bytes: noBytes, ...(problem && { problem }) });
    this.listener.abandonRest();
  }

  /** Drops the problem of a discarded body, because no reader needs that body. */
  private finish({ problem, ...result }: BodyResult): void {
    this.hasEnded = true;
    this.listener.onDone({ ...result, ...(problem && !this.isDiscarded && { problem }) });
  }
}
