import type { Dispatcher } from "undici";
import { AnswerCapture } from "./answer-capture.ts";
import type { BodyPlace } from "./body-memory.ts";
import type { AnswerHead, BodyMode, ExchangeOutcome, FailureReason, Method, StoreMode } from "./exchange.ts";
import { explainFailure, isInvalidRequest, type Progress } from "./failures.ts";
import type { ExchangeLimits } from "./limits.ts";
import type { OpenOrigin } from "./origins.ts";
import { type BodyListener, type BodyResult, ResponseBody } from "./response-body.ts";
import { TolerantReading } from "./tolerant/tolerant-reading.ts";

/** An admitted request, ready to be sent. */
interface PreparedRequest {
  path: string;
  method: Method;
  headers: Record<string, string>;
  payload: string | Uint8Array | undefined;
  bodyMode: BodyMode | ((head: AnswerHead) => BodyMode);
  capture: StoreMode | undefined;
  place: BodyPlace | undefined;
  secure: boolean;
  signal: AbortSignal | undefined;
}

type ReceivedHeaders = Record<string, string | string[] | undefined>;

/** The functions that settle the promise of an exchange. */
interface Settle {
  resolve: (outcome: ExchangeOutcome) => void;
  reject: (reason: unknown) => void;
}

/** The error with which the rest of a response is abandoned. */
const abandoned = new Error("abandoned");

/**
 * One exchange in progress. It reads the response within the limits and settles once. It implements undici's handler,
 * because `client.request` would create a stream for every response.
 * The request is sent once, even if the connection fails. The caller decides about retries, because the caller knows
 * the host's back-off.
 */
export class RunningExchange implements Dispatcher.DispatchHandler, BodyListener {
  private readonly origin: OpenOrigin;
  private readonly request: PreparedRequest;
  private readonly limits: ExchangeLimits;
  private readonly promise: Settle;

  private readonly startedAt = performance.now();
  private deadline: NodeJS.Timeout;
  private settled = false;
  private progress: Progress = "connecting";
  private controller: Dispatcher.DispatchController | undefined;

  /** The status of the final response; 0 before it arrives. */
  private status = 0;
  private headers: Record<string, string> = {};
  /** Set when the head of the final response has arrived. */
  private body: ResponseBody | undefined;
  private readonly capture: AnswerCapture | undefined;
  /** Set when undici has refused the response. */
  private tolerant: TolerantReading | undefined;

  constructor(request: PreparedRequest, to: { origin: OpenOrigin; limits: ExchangeLimits }, settle: Settle) {
    this.request = request;
    this.origin = to.origin;
    this.limits = to.limits;
    this.promise = settle;
    this.capture = request.capture && new AnswerCapture(request.capture, request.method);
    this.deadline = setTimeout(onTimeout, this.limits.headersMs, this);
    if (request.signal !== undefined) runningWith(request.signal).add(this);
    this.origin.inFlight++;
    const { path, method, headers, payload } = request;
    this.origin.client.dispatch({ path, method, headers, body: payload ?? null }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Over HTTP/2, undici sends the request again if a host has refused the stream or ended the session.
    if (this.progress !== "connecting")
      this.settle(this.failure("reset", "the host did not accept the request"));
    this.progress = "sent";
    // The exchange ended while it waited for the connection.
    if (this.settled) controller.abort(abandoned);
    else this.origin.tap.begin(this.capture);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ReceivedHeaders,
  ): void {
    if (this.settled || status < 200) return;
    this.status = status;
    this.progress = "answered";
    this.headers = flatten(headers);
    const { method } = this.request;
    const bodyMode = this.request.capture ?? this.request.bodyMode;
    const mode = typeof bodyMode === "function" ? bodyMode({ status, headers: this.headers }) : bodyMode;
    const headerBytes = sizeOf(this.headers);
    if (headerBytes > this.limits.headerBytes) {
      this.stop(this.failure("headers-too-large", `${headerBytes} bytes of headers`));
      return;
    }
    this.body = new ResponseBody(mode, {
      contentEncoding: this.headers["content-encoding"],
      limits: this.limits,
      listener: this,
      capture: this.capture,
      place: this.request.place,
    });
    clearTimeout(this.deadline);
    this.deadline = setTimeout(onTimeout, this.body.maxMs, this);
    const isBodyless = method === "HEAD" || status === 204 || status === 304;
    this.body.start(isBodyless ? undefined : Number(this.headers["content-length"]));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (!this.settled) this.body?.add(chunk, controller);
  }

  onResponseEnd(): void {
    if (!this.settled) this.body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.settled || this.body?.isRead || this.readTolerantly(error)) return;
    const failure = explainFailure(error, { progress: this.progress, secure: this.request.secure });
    this.origin.isBroken = true;
    if (isInvalidRequest(error)) this.reject(error);
    else if (failure.type === "refused") this.settle(failure);
    else if (this.body === undefined) this.settle(this.failure(failure.reason, failure.detail));
    else this.body.fail({ reason: failure.reason, detail: failure.detail });
  }

  /** Reads a response again that undici has just refused. @returns whether it can do so */
  private readTolerantly(objection: Error): boolean {
    const refused = this.origin.tap.take();
    if (refused === undefined) return false;
    const { method } = this.request;
    const { headerBytes } = this.limits;
    const receivedBytes = this.body?.receivedBytes;
    const needsBody = this.capture !== undefined;
    const options = { method, headerBytes, objection: objection.message, receivedBytes, needsBody };
    this.tolerant = new TolerantReading(refused.socket, this, options);
    this.controller = this.tolerant;
    this.tolerant.start(refused.wire);
    return true;
  }

  /** Called when the deadline has passed. */
  onDeadline(): void {
    const { headersMs } = this.limits;
    this.origin.isBroken = true;
    if (this.progress === "connecting") {
      this.stop(this.failure("connect", `no connection within ${headersMs} ms`));
    } else if (this.body === undefined) {
      this.stop(this.failure("timeout", `no headers within ${headersMs} ms`));
    } else {
      this.body.timeOut();
      this.abandonRest();
    }
  }

  /** Called when the caller has aborted the exchange. */
  onAbort(): void {
    this.reject(this.request.signal?.reason);
    this.body?.abort();
    this.abandonRest();
  }

  onRead(): void {
    clearTimeout(this.deadline);
  }

  onDone({ bytes, stored, problem }: BodyResult): void {
    const { status, headers } = this;
    this.settle({
      type: "answered",
      status,
      headers,
      body: bytes,
      ...(this.tolerant && { warnings: this.tolerant.warnings }),
      ...(problem && { bodyProblem: problem }),
      ...(stored && { stored }),
      elapsedMs: this.elapsedMs(),
    });
  }

  onError(error: unknown): void {
    this.reject(error);
  }

  abandonRest(): void {
    this.controller?.abort(abandoned);
  }

  private failure(reason: FailureReason, detail: string): ExchangeOutcome {
    return { type: "failed", reason, detail, elapsedMs: this.elapsedMs() };
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private stop(outcome: ExchangeOutcome): void {
    this.settle(outcome);
    this.abandonRest();
  }

  private settle(outcome: ExchangeOutcome): void {
    if (!this.finish()) return;
    if (this.body !== undefined || this.capture === undefined) this.promise.resolve(outcome);
    else this.settleWithoutHead(outcome, this.capture);
  }

  /** Settles an exchange without a response head. The bytes that have arrived still belong to the capture. */
  private settleWithoutHead(outcome: ExchangeOutcome, capture: AnswerCapture): void {
    const { resolve, reject } = this.promise;
    if (outcome.type === "failed" && capture.hasBegun) {
      capture.fail({ reason: outcome.reason, detail: outcome.detail });
      capture.done.then(({ stored }) => resolve({ ...outcome, stored }), reject);
    } else {
      capture.discard();
      resolve(outcome);
    }
  }

  private reject(reason: unknown): void {
    if (!this.finish()) return;
    if (this.body === undefined) this.capture?.discard();
    this.promise.reject(reason);
  }

  /** @returns whether the exchange was still open */
  private finish(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.deadline);
    const { signal } = this.request;
    if (signal !== undefined) runningWith(signal).delete(this);
    this.origin.tap.end();
    this.origin.inFlight--;
    this.origin.endedAtMs = Date.now();
    return true;
  }
}

/**
 * The exchanges in progress that each signal aborts. A separate listener for each exchange would take a tenth of the
 * time of a fast exchange.
 */
const abortable = new WeakMap<AbortSignal, Set<RunningExchange>>();

function runningWith(signal: AbortSignal): Set<RunningExchange> {
  const known = abortable.get(signal);
  if (known !== undefined) return known;
  const running = new Set<RunningExchange>();
  abortable.set(signal, running);
  const abort = () => {
    for (const exchange of [...running]) exchange.onAbort();
  };
  signal.addEventListener("abort", abort, { once: true });
  return running;
}

function onTimeout(exchange: RunningExchange): void {
  exchange.onDeadline();
}

/** Headers whose values may contain commas. */
const newlineJoined: ReadonlySet<string> = new Set(["set-cookie", "location"]);

/** Joins the values of repeated headers. Changes the given object, which undici has created for this handler only. */
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
