import type { Socket } from "node:net";
import { type buildConnector, errors } from "undici";

/** A connection on which undici has refused a response, with the received bytes of that response. */
interface RefusedAnswer {
  socket: Socket;
  wire: Buffer;
}

/** Receives a copy of the bytes that one exchange sends and receives. */
export interface WireListener {
  onSent(bytes: Buffer, address: string | undefined): void;
  onReceived(bytes: Buffer): void;
}

const events = ["error", "readable", "end", "close"] as const;

/** undici's message for a 100 Continue that was not requested. */
const unexpectedContinue = "bad response";

/**
 * undici's code for a too short body. undici also uses this code for a head that its parser refuses after a
 * Content-Length.
 */
const lengthMismatch = "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";

/** The recorded bytes of the body, in addition to the largest head. Invalid chunks occur early in a body. */
const bodyBytes = 64 * 1024;

/** The number of chunks above which they are merged, because each chunk keeps its whole read buffer in memory. */
const maxParts = 64;

/**
 * Records the first bytes of each response on the HTTP/1 connection of one client. If undici refuses to parse a
 * response, the connection stays open, and the exchange may read the response itself, without another request. A
 * response that undici accepts costs only a reference to each chunk. A listener gets a copy of a whole exchange. The
 * tap relies on internals: `push` receives the bytes that a socket reads, and undici considers a connection closed when
 * its listener for `close` is called.
 */
export class WireTap {
  private readonly maxBytes: number;
  private socket: Socket | undefined;
  private isRecording = false;
  private parts: Buffer[] = [];
  private size = 0;
  private refused: RefusedAnswer | undefined;
  private listener: WireListener | undefined;

  /** @param headerBytes the largest size of a head */
  constructor(headerBytes: number) {
    this.maxBytes = headerBytes + bodyBytes;
  }

  /** Returns the connector of the client. HTTP/2 connections have no tap. */
  connector(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error !== null || socket === null || isHttp2(socket)) callback(...result);
        else this.attach(socket, () => callback(...result));
      });
  }

  /** Called before a request is written. Bytes that arrived earlier are not part of the response. */
  begin(listener?: WireListener): void {
    this.reset();
    this.listener = listener;
    this.isRecording = this.socket !== undefined && this.socket.readableLength === 0;
  }

  /** Called when the response no longer needs to be recorded. */
  end(): void {
    this.listener = undefined;
    if (this.isRecording) this.reset();
  }

  /** Returns the response that undici has just refused, once. The caller then owns the connection. */
  take(): RefusedAnswer | undefined {
    const { refused } = this;
    this.refused = undefined;
    return refused;
  }

  private reset(): void {
    this.isRecording = false;
    this.parts = [];
    this.size = 0;
  }

  private attach(socket: Socket, handOver: () => void): void {
    this.socket = socket;
    this.reset();
    const { push, destroy } = socket;
    socket.push = (chunk, encoding) => {
      if (this.isRecording && this.socket === socket && chunk !== null) this.record(chunk);
      if (this.socket === socket && chunk !== null) this.listener?.onReceived(chunk);
      return push.call(socket, chunk, encoding);
    };
    const { write } = socket;
    socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      if (this.socket === socket) this.listener?.onSent(bytesOf(chunk, rest[0]), socket.remoteAddress);
      return write.call(socket, chunk, ...(rest as []));
    }) as Socket["write"];
    const before = new Map(events.map((event) => [event, new Set(socket.listeners(event))]));
    socket.destroy = (error) => {
      if (!this.isRecording || this.socket !== socket || !mayBeTolerated(error))
        return destroy.call(socket, error);
      // undici's parser may still be running.
      queueMicrotask(() => this.giveUp(socket, error, before));
      return socket;
    };
    handOver();
  }

  private record(chunk: Buffer): void {
    this.size += chunk.byteLength;
    this.parts.push(chunk);
    if (this.size > this.maxBytes) this.reset();
    else if (this.parts.length > maxParts) this.parts = [Buffer.concat(this.parts)];
  }

  /** Makes the connection look closed to undici, and keeps it open for the exchange, if the exchange wants it. */
  private giveUp(socket: Socket, error: Error, before: ReadonlyMap<string, ReadonlySet<unknown>>): void {
    const wire = Buffer.concat(this.parts);
    const isOpen = this.isRecording && !socket.destroyed;
    this.reset();
    if (!isOpen) {
      socket.destroy(error);
      return;
    }
    this.refused = { socket, wire };
    const listeners = new Map(
      events.map((event) => [event, socket.listeners(event).filter((each) => !before.get(event)?.has(each))]),
    );
    for (const [event, added] of listeners) {
      for (const listener of added) socket.removeListener(event, listener as () => void);
    }
    socket.on("error", () => {});
    for (const listener of listeners.get("error") ?? []) listener.call(socket, error);
    for (const listener of listeners.get("close") ?? []) listener.call(socket, true);
    this.take()?.socket.destroy();
  }
}

function bytesOf(chunk: string | Uint8Array, encoding: unknown): Buffer {
  return typeof chunk === "string"
    ? Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8")
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function isHttp2(socket: Socket): boolean {
  return "alpnProtocol" in socket && socket.alpnProtocol === "h2";
}

/**
 * Decides whether undici objects to the content of the response, rather than to its length or the end of the
 * connection.
 */
function mayBeTolerated(error: Error | undefined): error is Error {
  if (error instanceof errors.HTTPParserError) return !error.message.includes("Invalid EOF state");
  return (
    error?.message === unexpectedContinue ||
    (error !== undefined && "code" in error && error.code === lengthMismatch)
  );
}
