import type { Socket } from "node:net";
import type { Dispatcher } from "undici";
import type { FailureReason } from "../exchange.ts";
import { TolerantBody } from "./tolerant-body.ts";
import { readTolerantHead, type TolerantHead } from "./tolerant-head.ts";

/** The reason why the second reading of a response has also failed. */
export class TolerantReadingError extends Error {
  override readonly name = "TolerantReadingError";
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Reader {
  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[]>,
  ): void;
  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: Dispatcher.DispatchController, error: Error): void;
}

interface Options {
  method: string;
  /** The largest size of the head. */
  headerBytes: number;
  /** undici's error message, which is reported if no other fault is found in the response. */
  objection: string;
  /**
   * The number of body bytes that the reader has already received. Set if the reader has received the head and these
   * bytes.
   */
  receivedBytes: number | undefined;
  /** Fails for a response whose end is ambiguous, instead of reading its head only. */
  needsBody: boolean;
}

const noBytes = Buffer.alloc(0);

/** The largest number of 1xx responses before the final one. */
const maxInformational = 20;

/**
 * Reads a response that undici has refused again from its first byte, more tolerantly. It calls its reader as undici
 * does, and closes the connection at the end. The reader is responsible for deadlines.
 */
export class TolerantReading implements Dispatcher.DispatchController {
  readonly rawHeaders = [];
  readonly rawTrailers = [];
  aborted = false;
  paused = false;
  reason: Error | null = null;
  private readonly socket: Socket;
  private readonly reader: Reader;
  private readonly options: Options;
  /** The part of the head that has arrived. */
  private wire: Buffer = noBytes;
  private head: TolerantHead | undefined;
  private body: TolerantBody | undefined;
  private informational = 0;
  private hasContinued = false;
  /** The number of body bytes that the reader has already received. */
  private toSkip: number;

  constructor(socket: Socket, reader: Reader, options: Options) {
    this.socket = socket;
    this.reader = reader;
    this.options = options;
    this.toSkip = options.receivedBytes ?? 0;
  }

  /** @param wire the bytes that have arrived */
  start(wire: Buffer): void {
    const { socket } = this;
    // The bytes in the socket's buffer have already been recorded, so they are dropped.
    while (socket.read() !== null);
    this.add(wire);
    if (this.aborted) return;
    socket.on("data", (chunk: Buffer) => this.add(chunk));
    socket.on("end", () => this.endConnection());
    socket.on("close", () => this.endConnection());
  }

  /** The rules that the response breaks, for people. */
  get warnings(): string[] {
    const continued = this.hasContinued ? ["a 100 Continue was not requested"] : [];
    const found = [...continued, ...(this.head?.warnings ?? []), ...(this.body?.warnings ?? [])];
    return found.length > 0 ? found : [this.options.objection];
  }

  pause(): void {
    this.paused = true;
    this.socket.pause();
  }

  resume(): void {
    this.paused = false;
    this.socket.resume();
  }

  /** Ends the reading without calling the reader. */
  abort(reason: Error): void {
    this.reason = reason;
    this.close();
  }

  private close(): void {
    this.aborted = true;
    this.socket.destroy();
  }

  private add(chunk: Buffer): void {
    if (this.aborted) return;
    let rest: Buffer | undefined = chunk;
    while (this.body === undefined && rest !== undefined && !this.aborted) rest = this.readHead(rest);
    if (this.body === undefined || rest === undefined || this.aborted) return;
    const problem = this.body.add(rest, (content) => this.pass(content));
    if (problem !== undefined) this.fail("bad-http", `the response is not valid HTTP: ${problem}`);
    else if (this.body.isComplete) this.end();
  }

  /** @returns the bytes after the head; undefined when it is incomplete or invalid */
  private readHead(chunk: Buffer): Buffer | undefined {
    this.wire = this.wire.byteLength === 0 ? chunk : Buffer.concat([this.wire, chunk]);
    const { method, headerBytes } = this.options;
    const reading = readTolerantHead(this.wire, method);
    if (reading.type === "invalid") {
      this.fail("bad-http", `the response is not valid HTTP: ${reading.detail}`);
      return undefined;
    }
    const length = reading.type === "head" ? reading.lengthBytes : this.wire.byteLength;
    if (length > headerBytes) this.fail("headers-too-large", `more than ${headerBytes} bytes of headers`);
    if (reading.type === "incomplete" || this.aborted) return undefined;
    const rest = this.wire.subarray(length);
    this.wire = noBytes;
    return this.startAnswer(reading.head) ? rest : undefined;
  }

  private startAnswer(head: TolerantHead): boolean {
    const { status, headers, framing } = head;
    if (status === 101 || (status < 200 && ++this.informational > maxInformational)) {
      this.fail("bad-http", `the response is not valid HTTP: status ${status} was not requested`);
      return false;
    }
    if (status === 100) this.hasContinued = true;
    if (status < 200) return true;
    this.head = head;
    const { receivedBytes, needsBody } = this.options;
    const isAmbiguous = framing.type === "ambiguous";
    if (receivedBytes === undefined && !(isAmbiguous && needsBody))
      this.reader.onResponseStart(this, status, headers);
    if (isAmbiguous) this.fail("bad-http", `the response is not valid HTTP: ${framing.detail}`);
    else this.body = new TolerantBody(framing);
    return !this.aborted;
  }

  private pass(content: Buffer): void {
    const skipped = Math.min(this.toSkip, content.byteLength);
    this.toSkip -= skipped;
    if (this.aborted || skipped === content.byteLength) return;
    this.reader.onResponseData(this, content.subarray(skipped));
  }

  private endConnection(): void {
    if (this.aborted) return;
    if (this.body?.endsWithConnection) this.end();
    else this.fail("reset", "the host closed the connection within the response");
  }

  private end(): void {
    if (this.aborted) return;
    this.close();
    this.reader.onResponseEnd();
  }

  private fail(reason: FailureReason, message: string): void {
    this.close();
    this.reader.onResponseError(this, new TolerantReadingError(reason, message));
  }
}
