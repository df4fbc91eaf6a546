import { createHash } from "node:crypto";
import { type Duplex, PassThrough, pipeline, type Readable } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { encodingsOf, hasZlibHeader } from "./decode-body.ts";
import type { BodyProblem, StoredBody, StoreMode } from "./exchange.ts";

type OpenDecoder = (firstChunk: Uint8Array | undefined) => Duplex;

/**
 * Streaming decoders. Bare DEFLATE, without a zlib header, is recognised only if it is the encoding that was applied
 * last.
 */
const decoders: ReadonlyMap<string, OpenDecoder> = new Map<string, OpenDecoder>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", (wire) => (wire === undefined || hasZlibHeader(wire) ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress()],
]);

/** The size at which reading from the connection pauses until the store has caught up. */
const bufferBytes = 1024 * 1024;

/** A stored body, a problem, or both. Both are set when the received part of an interrupted body is stored. */
type UploadResult = { stored: StoredBody; problem?: BodyProblem } | { problem: BodyProblem };

/** Decides whether a body has only ended too early, so that its received part is valid. */
function isInterruption({ reason }: BodyProblem): boolean {
  return reason === "timeout" || reason === "reset";
}

class BodyFailure extends Error {
  readonly problem: BodyProblem;
  constructor(problem: BodyProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/**
 * Passes a body from the connection to the store, at the store's pace, and computes its length and digest. If the body
 * is incomplete or too large, the iteration by the store throws, so that no object is left.
 */
export class BodyUpload {
  /** The stored body, or the problem with it. Rejects with the store's error. */
  readonly done: Promise<UploadResult>;
  private readonly wire = new PassThrough({ highWaterMark: bufferBytes });
  private readonly firstChunk = Promise.withResolvers<Uint8Array | undefined>();
  private readonly mode: StoreMode;
  private readonly hash = createHash("sha256");
  private bodyBytes = 0;
  private problem: BodyProblem | undefined;
  /** Why the stored body is incomplete. */
  private interruption: BodyProblem | undefined;
  private readonly keepsIncomplete: boolean;

  /** @param contentEncoding the encodings to decode before storing; may be empty */
  constructor(mode: StoreMode, contentEncoding: string) {
    this.mode = mode;
    this.keepsIncomplete = mode.keepIncomplete === true && contentEncoding === "";
    // Without a listener, a body that fails before the store reads it would end the process.
    this.wire.on("error", () => {});
    this.done = this.run(contentEncoding);
  }

  /** @returns whether more bytes may be written now; if not, `onDrain` is called as soon as they may */
  write(chunk: Uint8Array, onDrain: () => void): boolean {
    this.firstChunk.resolve(chunk);
    if (this.wire.destroyed || this.wire.write(chunk)) return true;
    this.wire.once("drain", onDrain);
    return false;
  }

  end(): void {
    this.firstChunk.resolve(undefined);
    this.wire.end();
  }

  /** Called when the rest of the body will not arrive. */
  fail(problem: BodyProblem): void {
    this.firstChunk.resolve(undefined);
    if (this.keepsIncomplete && isInterruption(problem)) {
      this.interruption ??= problem;
      this.wire.end();
      return;
    }
    this.wire.destroy(new BodyFailure(problem));
  }

  private async run(contentEncoding: string): Promise<UploadResult> {
    try {
      const key = await this.mode.store(this.content(contentEncoding));
      const stored = { key, sizeBytes: this.bodyBytes, sha256: this.hash.digest("hex") };
      if (this.interruption === undefined) return { stored };
      return { stored: { ...stored, isIncomplete: true }, problem: this.interruption };
    } catch (error) {
      if (this.problem === undefined) throw error;
      return { problem: this.problem };
    } finally {
      this.wire.destroy();
    }
  }

  /** Returns the content to store. @throws BodyFailure after setting `problem` */
  private async *content(contentEncoding: string): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of await this.decoded(contentEncoding)) {
        this.bodyBytes += chunk.byteLength;
        const { maxBytes } = this.mode;
        if (this.bodyBytes > maxBytes) {
          throw new BodyFailure({ reason: "body-too-large", detail: `more than ${maxBytes} bytes` });
        }
        this.hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      const detail = `not ${contentEncoding}: ${error instanceof Error ? error.message : error}`;
      this.problem = error instanceof BodyFailure ? error.problem : { reason: "bad-encoding", detail };
      throw error;
    }
  }

  private async decoded(contentEncoding: string): Promise<Readable> {
    const encodings = encodingsOf(contentEncoding);
    if (encodings.length === 0) return this.wire;
    const firstChunk = await this.firstChunk.promise;
    // Some hosts name an encoding for an empty body.
    if (firstChunk === undefined) return this.wire;
    const steps = encodings.map((encoding, index) => {
      const open = decoders.get(encoding);
      if (open !== undefined) return open(index === 0 ? firstChunk : undefined);
      throw new BodyFailure({
        reason: "bad-encoding",
        detail: `encoding ${encoding}, which is not supported`,
      });
    });
    // `pipeline` passes an error of any step to the last step. The last step is a decoder, so it is readable, although
    // the type of `pipeline` does not say so.
    return pipeline([this.wire, ...steps], () => {}) as unknown as Readable;
  }
}
