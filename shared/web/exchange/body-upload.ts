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
import type { BodyProblem, StoredBody, StreamMode } from "./exchange.ts";

type OpenDecoder = (firstChunk: Uint8Array | undefined) => Duplex;

/** As streams. `deflate` without a zlib header is recognised where it is the only encoding. */
const decoders: ReadonlyMap<string, OpenDecoder> = new Map<string, OpenDecoder>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", (wire) => (wire === undefined || hasZlibHeader(wire) ? createInflate() : createInflateRaw())],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress()],
]);

/** What is read from the connection ahead of the store. */
const bufferBytes = 1024 * 1024;

class BrokenBody extends Error {
  readonly problem: BodyProblem;
  constructor(problem: BodyProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/**
 * Passes a body from the connection to the store, at the store's pace, and computes its length and digest. A body that
 * breaks off or exceeds the limit makes the store's iteration throw, so that no object is left.
 */
export class BodyUpload {
  /** The stored body, or what is wrong with it. Rejects with the store's error. */
  readonly done: Promise<{ stored: StoredBody } | { problem: BodyProblem }>;
  private readonly wire = new PassThrough({ highWaterMark: bufferBytes });
  private readonly firstChunk = Promise.withResolvers<Uint8Array | undefined>();
  private readonly mode: StreamMode;
  private readonly head: Uint8Array | undefined;
  private readonly hash = createHash("sha256");
  private bodyBytes = 0;
  private problem: BodyProblem | undefined;

  /**
   * @param given.head stored before the body, as a capture has it
   * @param given.contentEncoding undone on the way; empty for a capture
   */
  constructor(mode: StreamMode, given: { head?: Uint8Array; contentEncoding: string }) {
    this.mode = mode;
    this.head = given.head;
    // A body that breaks off before the store asks for it must not bring the process down.
    this.wire.on("error", () => {});
    this.done = this.run(given.contentEncoding);
  }

  /** @returns whether more may come at once; otherwise `onDrain` is called when it may */
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

  breakOff(problem: BodyProblem): void {
    this.firstChunk.resolve(undefined);
    this.wire.destroy(new BrokenBody(problem));
  }

  private async run(contentEncoding: string): Promise<{ stored: StoredBody } | { problem: BodyProblem }> {
    try {
      const key = await this.mode.store(this.content(contentEncoding));
      const headBytes = this.head?.byteLength;
      const stored = {
        key,
        sizeBytes: (headBytes ?? 0) + this.bodyBytes,
        sha256: this.hash.digest("hex"),
        ...(headBytes !== undefined && { headBytes }),
      };
      return { stored };
    } catch (error) {
      if (this.problem === undefined) throw error;
      return { problem: this.problem };
    } finally {
      this.wire.destroy();
    }
  }

  /** What is stored. @throws BrokenBody, having noted the problem */
  private async *content(contentEncoding: string): AsyncGenerator<Uint8Array> {
    if (this.head !== undefined) yield this.head;
    try {
      for await (const chunk of await this.decoded(contentEncoding)) {
        this.bodyBytes += chunk.byteLength;
        const { maxBytes } = this.mode;
        if (this.bodyBytes > maxBytes) {
          throw new BrokenBody({ reason: "body-too-large", detail: `more than ${maxBytes} bytes` });
        }
        this.hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      const detail = `not ${contentEncoding}: ${error instanceof Error ? error.message : error}`;
      this.problem = error instanceof BrokenBody ? error.problem : { reason: "bad-encoding", detail };
      throw error;
    }
  }

  private async decoded(contentEncoding: string): Promise<Readable> {
    const encodings = encodingsOf(contentEncoding);
    if (encodings.length === 0) return this.wire;
    const firstChunk = await this.firstChunk.promise;
    // Hosts announce an encoding for an empty body too.
    if (firstChunk === undefined) return this.wire;
    const steps = encodings.map((encoding, index) => {
      const open = decoders.get(encoding);
      if (open !== undefined) return open(index === 0 ? firstChunk : undefined);
      throw new BrokenBody({ reason: "bad-encoding", detail: `encoding ${encoding}, which is not read` });
    });
    // The last step has the error, wherever it comes from.
    return pipeline([this.wire, ...steps], () => {}) as unknown as Readable;
  }
}
