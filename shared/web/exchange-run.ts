import type { Dispatcher } from "undici";
import type { Answer, ExchangeOutcome, FailureReason, Method } from "./exchange.ts";
import { decodeBody } from "./exchange-body.ts";
import { explainBreakage, isOurMistake, type Progress } from "./exchange-failures.ts";
import type { OpenOrigin } from "./exchange-origins.ts";
import type { ExchangeLimits } from "./limits.ts";

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
 * A host may close a connection that has served before just as we ask again. When nothing of an answer was seen, the
 * request is then sent once more over a fresh connection, within the same time.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.3.1
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
  private connectionHasServed = false;
  private repeated = false;
  private controller: Dispatcher.DispatchController | undefined;

  /** Final; 0 until it has come. */
  private status = 0;
  private headers: Record<string, string> = {};
  private readonly chunks: Uint8Array[] = [];
  private wireBytes = 0;

  constructor(
    ask: Ask,
    to: { origin: OpenOrigin; limits: ExchangeLimits },
    settle: { resolve: (outcome: ExchangeOutcome) => void; reject: (reason: unknown) => void },
  ) {
    this.ask = ask;
    this.origin = to.origin;
    this.limits = to.limits;
    this.resolve = settle.resolve;
    this.reject = settle.reject;
    this.deadline = setTimeout(endLate, this.limits.headersMs, this);
    ask.signal?.addEventListener("abort", this.onAbort, { once: true });
    this.origin.inFlight++;
    this.send();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.progress = "asked";
    this.connectionHasServed = this.origin.answers > 0;
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
    const bodyless = this.ask.method === "HEAD" || status === 204 || status === 304;
    if (!bodyless) this.limitBody(Number(this.headers["content-length"]));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.settled) return;
    this.wireBytes += chunk.byteLength;
    if (this.ask.keepsBody) this.chunks.push(chunk);
    this.limitBody(this.wireBytes);
  }

  onResponseEnd(): void {
    this.origin.answers++;
    if (this.wireBytes === 0 || !this.ask.keepsBody) this.settle(this.answer(noBody));
    else void this.decode();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.settled) return;
    const breakage = explainBreakage(error, { progress: this.progress, secure: this.ask.secure });
    if (isOurMistake(error)) {
      this.throwBack(error);
    } else if (breakage.reason === "reset" && this.mayRepeat()) {
      this.repeated = true;
      // Not before undici has put the broken connection away.
      queueMicrotask(() => this.send());
    } else if (breakage.type === "refused") {
      this.settle(breakage);
    } else {
      this.settle(this.endEarly(breakage.reason, breakage.detail));
    }
  }

  /** The time is over. */
  onDeadline(): void {
    const { headersMs, bodyMs } = this.limits;
    if (this.progress === "connecting") {
      this.stop(this.fail("connect", `no connection within ${headersMs} ms`));
    } else if (this.status === 0) {
      this.stop(this.fail("timeout", `no headers within ${headersMs} ms`));
    } else {
      this.stop(this.endEarly("timeout", `no complete body within ${bodyMs} ms`));
    }
  }

  private readonly onAbort = (): void => {
    this.throwBack(this.ask.signal?.reason);
    this.controller?.abort(abandoned);
  };

  private send(): void {
    this.progress = "connecting";
    const { path, method, headers, payload } = this.ask;
    this.origin.client.dispatch({ path, method, headers, body: payload ?? null }, this);
  }

  private mayRepeat(): boolean {
    return this.connectionHasServed && !this.repeated && this.status === 0 && this.ask.method !== "POST";
  }

  /** Stops reading when the body is, or says it is, larger than we want. */
  private limitBody(bytes: number): void {
    const { bodyBytes, drainBytes } = this.limits;
    if (this.ask.keepsBody) {
      if (bytes > bodyBytes) this.stop(this.fail("body-too-large", `more than ${bodyBytes} bytes`));
    } else if (bytes > drainBytes) {
      this.stop(this.answer(noBody));
    }
  }

  private async decode(): Promise<void> {
    const { chunks, limits } = this;
    const [only] = chunks;
    const wire = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, this.wireBytes);
    const encoding = this.headers["content-encoding"];
    if (encoding === undefined) return this.settle(this.answer(wire));
    const decoded = await decodeBody(wire, encoding, limits);
    this.settle(
      decoded.type === "decoded" ? this.answer(decoded.body) : this.fail(decoded.reason, decoded.detail),
    );
  }

  private answer(body: Uint8Array): Answer {
    return {
      type: "answered",
      status: this.status,
      headers: this.headers,
      body,
      elapsedMs: this.elapsedMs(),
    };
  }

  private fail(reason: FailureReason, detail: string): ExchangeOutcome {
    return { type: "failed", reason, detail, elapsedMs: this.elapsedMs() };
  }

  /** An answer whose body breaks off is none, unless only its headers were wanted. */
  private endEarly(reason: FailureReason, detail: string): ExchangeOutcome {
    return this.status > 0 && !this.ask.keepsBody ? this.answer(noBody) : this.fail(reason, detail);
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

/** Joins repeated headers, in the object that undici has made for us. */
function flatten(headers: ReceivedHeaders): Record<string, string> {
  const flat = headers as Record<string, string>;
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) flat[name] = value.join(name === "set-cookie" ? "\n" : ", ");
  }
  return flat;
}
