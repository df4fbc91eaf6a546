import { createInterface } from "node:readline";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { compileCacheOfClone } from "../../compile-cache.js";
import type { Gateway } from "../gateway/gateway.ts";
import { serveThread } from "../gateway/gateway-port.ts";
import { maxPayloadBytes } from "../limits.ts";

/** The start parameters of a worker thread. */
export interface WorkerData {
  readonly moduleUrl: string;
  readonly handlerName: string;
  readonly functionName: string;
  readonly arn: string;
  readonly memoryMb: number;
  readonly gatewayUrl: string;
  /** The port to the gateway; see `sendToGateway`. */
  readonly gatewayPort: MessagePort;
  /** See `shiftClock`. Undefined if the clock is not shifted. */
  readonly clockOffset: SharedArrayBuffer | undefined;
}

export interface Invocation {
  readonly requestId: string;
  readonly event: unknown;
  /** The X-Ray header that the SDK adds to the calls of the invocation. */
  readonly traceId: string;
}

/** An invocation, sent to the thread. */
export interface FunctionRequest extends Pick<Invocation, "requestId" | "traceId"> {
  /** The event as JSON. */
  readonly event: string;
  readonly timeoutMs: number;
}

export type FunctionResponse =
  | { readonly requestId: string; readonly result: string }
  | { readonly requestId: string; readonly error: { name: string; message: string; stack: string } };

/** A message from the thread: a log line, the end of loading (also after an error), or a response. */
export type FunctionMessage = { readonly line: string } | { readonly isLoaded: true } | FunctionResponse;

/** An error that a function threw, with its name, message and stack. */
export class FunctionError extends Error {
  constructor({ name, message, stack }: { name: string; message: string; stack?: string }) {
    super(message);
    this.name = name;
    if (stack !== undefined) this.stack = stack;
  }
}

interface Options {
  readonly data: Omit<WorkerData, "gatewayPort">;
  readonly environment: Readonly<Record<string, string>>;
  readonly gateway: Gateway;
  readonly timeoutMs: number;
  readonly onLine: (line: string) => void;
  /**
   * Called once when the thread accepts no more work, because an invocation timed out or the thread ended.
   */
  readonly onRetired: () => void;
  readonly onExit: () => void;
  /** Called when the system lacks resources for a thread, such as open files. */
  readonly onUnstartable: (error: Error) => void;
}

/**
 * The code of the error of a thread that the system cannot start. The message names the cause, such as
 * EMFILE. The constructor throws the error, or the error is emitted later.
 */
export const unstartable = "ERR_WORKER_INIT_FAILED";

/** The timeout of loading a module, generous for slow machines. */
const maxLoadingMs = 60_000;

/**
 * The thread of a function. Its invocations share the state of the module, as consecutive invocations on
 * Lambda do.
 */
export class FunctionThread {
  private readonly options: Options;
  private readonly worker: Worker;
  private readonly pendingInvocations = new Map<string, (response: FunctionResponse) => void>();
  private readonly loaded = Promise.withResolvers<void>();
  private isRetired = false;

  constructor(options: Options) {
    const { data, environment, gateway, onLine } = options;
    const { port1: ownPort, port2: gatewayPort } = new MessageChannel();
    serveThread(ownPort, gateway);
    this.options = options;
    this.worker = new Worker(new URL("./worker-main.ts", import.meta.url), {
      workerData: { ...data, gatewayPort } satisfies WorkerData,
      transferList: [gatewayPort],
      // With the compile cache, the thread does not load Node's TypeScript compiler, which would take half of
      // its start time.
      env: { ...environment, NODE_COMPILE_CACHE: compileCacheOfClone },
      // The limits apply to JavaScript objects, not to buffers. At the limit, Node grants a thread another 16
      // MB to end. The young generation must fit into these 16 MB, because otherwise V8 ends the whole
      // process.
      resourceLimits: { maxOldGenerationSizeMb: data.memoryMb, maxYoungGenerationSizeMb: 6 },
      stdout: true,
      stderr: true,
    });
    for (const stream of [this.worker.stdout, this.worker.stderr]) {
      createInterface({ input: stream }).on("line", onLine);
    }
    this.worker.on("message", (message: FunctionMessage) => this.receive(message));
    this.worker.on("error", (error: NodeJS.ErrnoException) => this.fail(error));
    this.worker.on("exit", () => {
      this.failAll("Runtime.ExitError", `the thread of ${data.functionName} ended`);
      ownPort.close();
      this.retire();
      options.onExit();
    });
    this.worker.unref();
  }

  /** The number of running invocations. */
  activeInvocations(): number {
    return this.pendingInvocations.size;
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }

  /**
   * Runs an invocation. @throws FunctionError if the function threw an error, timed out, or its thread ended
   */
  run({ requestId, event, traceId }: Invocation): Promise<unknown> {
    const { timeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const endAfter = (ms: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => this.timeOut(requestId), ms);
      };
      // As on AWS, loading does not count towards the timeout.
      endAfter(maxLoadingMs + timeoutMs);
      void this.loaded.promise.then(() => {
        if (!this.pendingInvocations.has(requestId)) return;
        endAfter(timeoutMs);
        const request: FunctionRequest = { requestId, event: JSON.stringify(event), traceId, timeoutMs };
        this.worker.postMessage(request);
      });
      this.pendingInvocations.set(requestId, (response) => {
        clearTimeout(timer);
        if ("error" in response) reject(new FunctionError(response.error));
        else resolve(JSON.parse(response.result));
      });
    });
  }

  private receive(message: FunctionMessage): void {
    if ("line" in message) this.options.onLine(message.line);
    else if ("isLoaded" in message) this.loaded.resolve();
    else this.settle(message);
  }

  private settle(response: FunctionResponse): void {
    this.pendingInvocations.get(response.requestId)?.(this.limitSize(response));
    this.pendingInvocations.delete(response.requestId);
    if (this.isRetired) this.retire();
  }

  private limitSize(response: FunctionResponse): FunctionResponse {
    if ("error" in response || Buffer.byteLength(response.result) <= maxPayloadBytes) return response;
    const { requestId } = response;
    const message = `Response payload size exceeded maximum allowed payload size (${maxPayloadBytes} bytes).`;
    this.options.onLine(JSON.stringify({ level: "ERROR", requestId, message }));
    return { requestId, error: { name: "Function.ResponseSizeTooLarge", message, stack: "" } };
  }

  private timeOut(requestId: string): void {
    const { timeoutMs, onLine } = this.options;
    const message = `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
    onLine(JSON.stringify({ level: "ERROR", requestId, message }));
    this.retire();
    this.settle({ requestId, error: { name: "Sandbox.Timedout", message, stack: "" } });
  }

  private fail(error: NodeJS.ErrnoException): void {
    const { functionName, memoryMb } = this.options.data;
    const isUnstartable = error.code === unstartable;
    const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    const problem = isFull
      ? `${functionName} needs more than its ${memoryMb} MB of memory`
      : `the thread of ${functionName} ended: ${error.message}`;
    // The stack of a thread that did not start has only Node's own code.
    const message = isFull || isUnstartable ? problem : (error.stack ?? String(error));
    this.options.onLine(JSON.stringify({ level: "FATAL", message }));
    this.failAll(isFull ? "Runtime.OutOfMemory" : "Runtime.ExitError", problem);
    if (isUnstartable) this.options.onUnstartable(error);
  }

  private failAll(name: string, message: string): void {
    for (const requestId of [...this.pendingInvocations.keys()])
      this.settle({ requestId, error: { name, message, stack: "" } });
  }

  private retire(): void {
    if (!this.isRetired) this.options.onRetired();
    this.isRetired = true;
    if (this.pendingInvocations.size === 0) void this.worker.terminate();
  }
}
