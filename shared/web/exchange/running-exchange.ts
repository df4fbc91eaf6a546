import type { Dispatcher } from "undici";
import { BodyBuffer } from "./body-buffer.ts";
import { decodeBodyStart } from "./body-start.ts";
import { BodyUpload } from "./body-upload.ts";
import { decodeBody } from "./decode-body.ts";
import type {
  Answer,
  AnswerHead,
  BodyMode,
  BodyProblem,
  ExchangeOutcome,
  FailureReason,
  Method,
  StreamMode,
} from "./exchange.ts";
import { explainFailure, isInvalidRequest, type Progress } from "./failures.ts";
import type { ExchangeLimits } from "./limits.ts";
import type { OpenOrigin } from "./origins.ts";
import { rawHead } from "./raw-head.ts";

/** A request that has been admitted, ready to be sent. */
export interface PreparedRequest {
  path: string;
  method: Method;
  headers: Record<string, string>;
  payload: string | Uint8Array | undefined;
  bodyMode: BodyMode | ((head: AnswerHead) => BodyMode);
  secure: boolean;
  signal: AbortSignal | undefined;
}

type ReceivedHeaders = Record<string, string | string[] | undefined>;

const noBody = new Uint8Array(0);

/** The error with which the rest of an answer is abandoned. */
const abandoned = new Error("abandoned");

/**
 * One exchange under way: reads the answer within the limits and settles once. It is undici's handler itself, which
 * saves the stream that `client.request` makes for every answer.
 *
 * The request is sent once, even when the connection breaks: the caller decides on retries, because it knows the host's
 * back-off.
 */
export class RunningExchange implements Dispatcher.DispatchHandler {
  private readonly origin: OpenOrigin;
  private readonly request: PreparedRequest;
  private readonly limits: ExchangeLimits;
  private readonly resolve: (outcome: ExchangeOutcome) => void;
  private readonly reject: (reason: unknown) => void;

  private readonly startedAt = performance.now();
  private deadline: NodeJS.Timeout;
  private settled = false;
  private progress: Progress = "connecting";
  private controller: Dispatcher.DispatchController | undefined;

  /** Final; 0 until it has come. */
  private status = 0;
  private headers: Record<string, string> = {};
  /** What is read of the body. */
  private bodyMode: BodyMode = "keep";
  private readonly wire: BodyBuffer;
  private wireBytes = 0;
  /** Set when nothing more is read: what has come is being decoded. */
  private isRead = false;
  /** Set when the body goes to a store. */
  private upload: BodyUpload | undefined;

  constructor(
    ask: PreparedRequest,
    to: { origin: OpenOrigin; limits: ExchangeLimits },
    settle: { resolve: (outcome: ExchangeOutcome) => void; reject: (reason: unknown) => void },
  ) {
    this.request = ask;
    this.origin = to.origin;
    this.limits = to.limits;
    this.wire = new BodyBuffer(this.limits.bodyBytes);
    this.resolve = settle.resolve;
    this.reject = settle.reject;
    this.deadline = setTimeout(onTimeout, this.limits.headersMs, this);
    ask.signal?.addEventListener("abort", this.onAbort, { once: true });
    this.origin.inFlight++;
    const { path, method, headers, payload } = ask;
    this.origin.client.dispatch({ path, method, headers, body: payload ?? null }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Over HTTP/2 undici retries at once when a host has refused the stream or ended the session.
    if (this.progress !== "connecting")
      this.settle(this.failure("reset", "the host did not take the request"));
    this.progress = "sent";
    // It was given up while it waited for the connection.
    if (this.settled) controller.abort(abandoned);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ReceivedHeaders,
    reason = "",
  ): void {
    if (this.settled || status < 200) return;
    this.status = status;
    this.progress = "answered";
    this.headers = flatten(headers);
    const { bodyMode } = this.request;
    this.bodyMode = typeof bodyMode === "function" ? bodyMode({ status, headers: this.headers }) : bodyMode;
    clearTimeout(this.deadline);
    this.deadline = setTimeout(onTimeout, this.bodyMaxMs, this);
    const headerBytes = sizeOf(this.headers);
    const bodyless = this.request.method === "HEAD" || status === 204 || status === 304;
    if (headerBytes > this.limits.headerBytes) {
      this.stop(this.failure("headers-too-large", `${headerBytes} bytes of headers`));
      return;
    }
    if (typeof this.bodyMode === "object" && "store" in this.bodyMode) {
      if (this.bodyMode.type === "capture") {
        this.startUpload(this.bodyMode, {
          head: rawHead(status, reason, controller.rawHeaders),
          contentEncoding: "",
        });
      } else if (!bodyless) {
        this.startUpload(this.bodyMode, { contentEncoding: this.headers["content-encoding"] ?? "" });
      }
    }
    if (!bodyless) this.enforceBodyLimit(Number(this.headers["content-length"]));
  }

  /** Settles when the body is stored, or cannot be. */
  private startUpload(mode: StreamMode, given: { head?: Uint8Array; contentEncoding: string }): void {
    this.upload = new BodyUpload(mode, given);
    this.upload.done.then(
      (result) =>
        "stored" in result
          ? this.settle({ ...this.answer(noBody), stored: result.stored })
          : this.stop(this.answer(noBody, result.problem)),
      (error: unknown) => {
        this.fail(error);
        this.controller?.abort(abandoned);
      },
    );
  }

  private get bodyMaxMs(): number {
    const { bodyMs, drainMs, streamMs } = this.limits;
    if (this.bodyMode === "discard") return Math.min(drainMs, bodyMs);
    return typeof this.bodyMode === "object" && "store" in this.bodyMode ? streamMs : bodyMs;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.settled || this.isRead) return;
    this.wireBytes += chunk.byteLength;
    if (this.upload !== undefined) {
      if (!this.upload.write(chunk, () => controller.resume())) controller.pause();
      return;
    }
    this.enforceBodyLimit(this.wireBytes);
    if (this.bodyMode === "discard" || this.settled) return;
    this.wire.add(chunk);
    if (this.hasEnough) {
      void this.decode();
      this.controller?.abort(abandoned);
    }
  }

  onResponseEnd(): void {
    if (this.isRead) return;
    if (this.upload !== undefined) {
      clearTimeout(this.deadline);
      this.upload.end();
      return;
    }
    if (this.wireBytes === 0 || this.bodyMode === "discard") this.settle(this.answer(noBody));
    else void this.decode();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.settled || this.isRead) return;
    const breakage = explainFailure(error, { progress: this.progress, secure: this.request.secure });
    this.origin.isBroken = true;
    if (isInvalidRequest(error)) this.fail(error);
    else if (breakage.type === "refused") this.settle(breakage);
    else this.breakOff(breakage.reason, breakage.detail);
  }

  /** The time is over. */
  onDeadline(): void {
    const { headersMs } = this.limits;
    this.origin.isBroken = true;
    if (this.progress === "connecting") {
      this.stop(this.failure("connect", `no connection within ${headersMs} ms`));
    } else if (this.status === 0) {
      this.stop(this.failure("timeout", `no headers within ${headersMs} ms`));
    } else {
      this.breakOff("timeout", `no complete body within ${this.bodyMaxMs} ms`);
      this.controller?.abort(abandoned);
    }
  }

  private readonly onAbort = (): void => {
    this.fail(this.request.signal?.reason);
    this.upload?.breakOff({ reason: "reset", detail: "abandoned" });
    this.controller?.abort(abandoned);
  };

  /** Stops reading when the body exceeds the limit, or its Content-Length does. */
  private enforceBodyLimit(bytes: number): void {
    const { bodyBytes, drainBytes } = this.limits;
    if (this.bodyMode === "keep") {
      const tooLarge = { reason: "body-too-large" as const, detail: `more than ${bodyBytes} bytes` };
      if (bytes > bodyBytes) this.stop(this.answer(noBody, tooLarge));
    } else if (this.bodyMode === "discard" && bytes > drainBytes) {
      this.stop(this.answer(noBody));
    } else if (this.upload !== undefined && bytes > this.storableBytes) {
      this.upload.breakOff({ reason: "body-too-large", detail: `more than ${this.storableBytes} bytes` });
    }
  }

  /** How much of the body as it is sent may be stored; without bound while it is decompressed on the way. */
  private get storableBytes(): number {
    if (typeof this.bodyMode === "string" || !("store" in this.bodyMode)) return Number.POSITIVE_INFINITY;
    const isAsSent = this.bodyMode.type === "capture" || this.headers["content-encoding"] === undefined;
    return isAsSent ? this.bodyMode.maxBytes : Number.POSITIVE_INFINITY;
  }

  /** Whether enough of the body has come when only its first bytes are read; compressed, it may be a little larger. */
  private get hasEnough(): boolean {
    if (typeof this.bodyMode === "string" || "store" in this.bodyMode) return false;
    const isPacked = this.headers["content-encoding"] !== undefined;
    return this.wireBytes >= (isPacked ? 2 : 1) * this.bodyMode.firstBytes;
  }

  /** Settles with the body so far. @param problem why the rest is missing, unless we stopped reading */
  private async decode(problem?: BodyProblem): Promise<void> {
    this.isRead = true;
    clearTimeout(this.deadline);
    const { bytes } = this.wire;
    const encoding = this.headers["content-encoding"] ?? "";
    if (typeof this.bodyMode !== "string" && "firstBytes" in this.bodyMode) {
      const { firstBytes } = this.bodyMode;
      const start = await decodeBodyStart(bytes, encoding, firstBytes);
      if (start.byteLength === firstBytes) return this.settle(this.answer(start));
    }
    if (problem !== undefined) return this.settle(this.answer(noBody, problem));
    if (encoding === "") return this.settle(this.answer(bytes));
    const decoded = await decodeBody(bytes, encoding, this.limits);
    if (decoded.type === "decoded") this.settle(this.answer(decoded.body));
    else this.settle(this.answer(noBody, { reason: decoded.reason, detail: decoded.detail }));
  }

  private answer(body: Uint8Array, bodyProblem?: BodyProblem): Answer {
    const { status, headers } = this;
    return {
      type: "answered",
      status,
      headers,
      body,
      ...(bodyProblem && this.bodyMode !== "discard" && { bodyProblem }),
      elapsedMs: this.elapsedMs(),
    };
  }

  private failure(reason: FailureReason, detail: string): ExchangeOutcome {
    return { type: "failed", reason, detail, elapsedMs: this.elapsedMs() };
  }

  /** The connection broke: before the end of the headers that is a failure, after it an answer with an incomplete body. */
  private breakOff(reason: FailureReason, detail: string): void {
    if (this.status === 0) this.settle(this.failure(reason, detail));
    else if (this.upload !== undefined) this.upload.breakOff({ reason, detail });
    else void this.decode({ reason, detail });
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private stop(outcome: ExchangeOutcome): void {
    this.settle(outcome);
    this.controller?.abort(abandoned);
  }

  private settle(outcome: ExchangeOutcome): void {
    if (this.finish()) this.resolve(outcome);
  }

  private fail(reason: unknown): void {
    if (this.finish()) this.reject(reason);
  }

  /** @returns whether the exchange was still open */
  private finish(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.deadline);
    this.request.signal?.removeEventListener("abort", this.onAbort);
    this.origin.inFlight--;
    return true;
  }
}

function onTimeout(exchange: RunningExchange): void {
  exchange.onDeadline();
}

/** Headers whose values may have commas of their own. */
const newlineJoined: ReadonlySet<string> = new Set(["set-cookie", "location"]);

/** Joins repeated headers, in the object that undici has made for us. */
function flatten(headers: ReceivedHeaders): Record<string, string> {
  const flat = headers as Record<string, string>;
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) flat[name] = value.join(newlineJoined.has(name) ? "\n" : ", ");
  }
  return flat;
}

function sizeOf(headers: Record<string, string>): number {
  let size = 0;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0);
  return size;
}
