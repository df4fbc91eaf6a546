import type { Dispatcher } from "undici";
import { decodeBody } from "./body.ts";
import { BodyBuffer } from "./body-buffer.ts";
import type { Answer, BodyProblem, ExchangeOutcome, FailureReason, Method } from "./exchange.ts";
import { explainBreakage, isOurMistake, type Progress } from "./failures.ts";
import type { ExchangeLimits } from "./limits.ts";
import type { OpenOrigin } from "./origins.ts";

/** A request that has been admitted, ready to be sent. */
export interface Ask {
  path: string;
  method: Method;
  headers: Record<string, string>;
  payload: string | Uint8Array | undefined;
  keepsBody: boolean;
  secure: boolean;
  signal: AbortSignal | undefined;
}

type ReceivedHeaders = Record<string, string | string[] | undefined>;

const noBody = new Uint8Array(0);

/** What undici is told when the rest of an answer is not wanted. */
const abandoned = new Error("abandoned");

/**
 * One exchange under way: reads the answer within the limits and settles once. It is undici's handler itself, which
 * saves the stream that `client.request` makes for every answer.
 *
 * The request is sent once, whatever becomes of the connection: asking again is for those to decide who know how long the
 * host is to be left alone.
 */
export class RunningExchange implements Dispatcher.DispatchHandler {
  private readonly origin: OpenOrigin;
  private readonly ask: Ask;
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
  private readonly wire: BodyBuffer;
  private wireBytes = 0;

  constructor(
    ask: Ask,
    to: { origin: OpenOrigin; limits: ExchangeLimits },
    settle: { resolve: (outcome: ExchangeOutcome) => void; reject: (reason: unknown) => void },
  ) {
    this.ask = ask;
    this.origin = to.origin;
    this.limits = to.limits;
    this.wire = new BodyBuffer(this.limits.bodyBytes);
    this.resolve = settle.resolve;
    this.reject = settle.reject;
    this.deadline = setTimeout(endLate, this.limits.headersMs, this);
    ask.signal?.addEventListener("abort", this.onAbort, { once: true });
    this.origin.inFlight++;
    const { path, method, headers, payload } = ask;
    this.origin.client.dispatch({ path, method, headers, body: payload ?? null }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // undici asks again at once, over HTTP/2, when a host has refused the stream or ended the session.
    if (this.progress === "asked") this.settle(this.failure("reset", "the host did not take the request"));
    this.progress = "asked";
    // It was given up while it waited for the connection.
    if (this.settled) controller.abort(abandoned);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReceivedHeaders,
  ): void {
    if (this.settled || status < 200) return;
    this.status = status;
    this.headers = flatten(headers);
    clearTimeout(this.deadline);
    this.deadline = setTimeout(endLate, this.limits.bodyMs, this);
    const headerBytes = sizeOf(this.headers);
    const bodyless = this.ask.method === "HEAD" || status === 204 || status === 304;
    if (headerBytes > this.limits.headerBytes) {
      this.stop(this.failure("headers-too-large", `${headerBytes} bytes of headers`));
    } else if (!bodyless) {
      this.limitBody(Number(this.headers["content-length"]));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.settled) return;
    this.wireBytes += chunk.byteLength;
    this.limitBody(this.wireBytes);
    if (this.ask.keepsBody && !this.settled) this.wire.add(chunk);
  }

  onResponseEnd(): void {
    const encoding = this.headers["content-encoding"];
    if (this.wireBytes === 0 || !this.ask.keepsBody) this.settle(this.answer(noBody));
    else if (encoding === undefined) this.settle(this.answer(this.wire.bytes));
    else void this.decode(encoding);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.settled) return;
    const breakage = explainBreakage(error, { progress: this.progress, secure: this.ask.secure });
    this.origin.isBroken = true;
    if (isOurMistake(error)) this.throwBack(error);
    else if (breakage.type === "refused") this.settle(breakage);
    else this.settle(this.endOf(breakage.reason, breakage.detail));
  }

  /** The time is over. */
  onDeadline(): void {
    const { headersMs, bodyMs } = this.limits;
    this.origin.isBroken = true;
    if (this.progress === "connecting") {
      this.stop(this.failure("connect", `no connection within ${headersMs} ms`));
    } else if (this.status === 0) {
      this.stop(this.failure("timeout", `no headers within ${headersMs} ms`));
    } else {
      this.stop(this.endOf("timeout", `no complete body within ${bodyMs} ms`));
    }
  }

  private readonly onAbort = (): void => {
    this.throwBack(this.ask.signal?.reason);
    this.controller?.abort(abandoned);
  };

  /** Stops reading when the body is, or says it is, larger than we want. */
  private limitBody(bytes: number): void {
    const { bodyBytes, drainBytes } = this.limits;
    if (this.ask.keepsBody) {
      if (bytes > bodyBytes) this.stop(this.endOf("body-too-large", `more than ${bodyBytes} bytes`));
    } else if (bytes > drainBytes) {
      this.stop(this.answer(noBody));
    }
  }

  private async decode(encoding: string): Promise<void> {
    const decoded = await decodeBody(this.wire.bytes, encoding, this.limits);
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
      ...(bodyProblem && this.ask.keepsBody && { bodyProblem }),
      elapsedMs: this.elapsedMs(),
    };
  }

  private failure(reason: FailureReason, detail: string): ExchangeOutcome {
    return { type: "failed", reason, detail, elapsedMs: this.elapsedMs() };
  }

  /** What it is when it breaks off: before the end of the headers no answer, after it one whose body is not there. */
  private endOf(reason: FailureReason, detail: string): ExchangeOutcome {
    return this.status === 0 ? this.failure(reason, detail) : this.answer(noBody, { reason, detail });
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private stop(outcome: ExchangeOutcome): void {
    this.settle(outcome);
    this.controller?.abort(abandoned);
  }

  private settle(outcome: ExchangeOutcome): void {
    if (this.leave()) this.resolve(outcome);
  }

  private throwBack(reason: unknown): void {
    if (this.leave()) this.reject(reason);
  }

  /** @returns whether the exchange was still open */
  private leave(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.deadline);
    this.ask.signal?.removeEventListener("abort", this.onAbort);
    this.origin.inFlight--;
    return true;
  }
}

function endLate(exchange: RunningExchange): void {
  exchange.onDeadline();
}

/** Headers whose values may have commas of their own. */
const linewise: ReadonlySet<string> = new Set(["set-cookie", "location"]);

/** Joins repeated headers, in the object that undici has made for us. */
function flatten(headers: ReceivedHeaders): Record<string, string> {
  const flat = headers as Record<string, string>;
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) flat[name] = value.join(linewise.has(name) ? "\n" : ", ");
  }
  return flat;
}

function sizeOf(headers: Record<string, string>): number {
  let size = 0;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0);
  return size;
}
