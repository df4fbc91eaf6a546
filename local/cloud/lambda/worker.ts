import { createInterface } from "node:readline";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
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
  /** Leads to the gateway; see `sendToGateway`. */
  readonly gatewayPort: MessagePort;
  /** See `shiftClock`. Undefined: the clock is right. */
  readonly clockOffset: SharedArrayBuffer | undefined;
}

/** An invocation, sent to the thread. */
export interface FunctionRequest {
  readonly requestId: string;
  /** JSON. */
  readonly event: string;
  readonly deadlineMs: number;
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

export interface FunctionThread {
  /** @throws FunctionError when the function threw, timed out, or its thread ended */
  run(requestId: string, event: unknown): Promise<unknown>;
  /** The number of running invocations. */
  activeInvocations(): number;
  stop(): Promise<void>;
}

interface Options {
  readonly data: Omit<WorkerData, "gatewayPort">;
  readonly environment: Readonly<Record<string, string>>;
  readonly gateway: Gateway;
  readonly timeoutMs: number;
  readonly onLine: (line: string) => void;
  /** Called once when the thread accepts no more work: an invocation timed out, or the thread ended. */
  readonly onRetired: () => void;
  readonly onExit: () => void;
}

/** The timeout of loading a module, generous for slow machines. */
const maxLoadingMs = 60_000;

/** Starts the thread of a function. Its invocations share the module's state, as successive ones on Lambda do. */
export function startThread({
  data,
  environment,
  gateway,
  timeoutMs,
  onLine,
  onRetired,
  onExit,
}: Options): FunctionThread {
  const { port1: ownPort, port2: gatewayPort } = new MessageChannel();
  serveThread(ownPort, gateway);
  const worker = new Worker(new URL("./worker-main.ts", import.meta.url), {
    workerData: { ...data, gatewayPort } satisfies WorkerData,
    transferList: [gatewayPort],
    env: environment,
    // The limits cover JavaScript objects, not buffers. At the limit, Node grants a thread 16 MB more to end. The young
    // generation must fit into them, or V8 ends the whole process.
    resourceLimits: { maxOldGenerationSizeMb: data.memoryMb, maxYoungGenerationSizeMb: 6 },
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    createInterface({ input: stream }).on("line", onLine);
  }
  const pendingInvocations = new Map<string, (response: FunctionResponse) => void>();
  const loaded = Promise.withResolvers<void>();
  let isRetired = false;

  function retire(): void {
    if (!isRetired) onRetired();
    isRetired = true;
    if (pendingInvocations.size === 0) void worker.terminate();
  }

  function settle(response: FunctionResponse): void {
    pendingInvocations.get(response.requestId)?.(limitResponseSize(response));
    pendingInvocations.delete(response.requestId);
    if (isRetired) retire();
  }

  function limitResponseSize(response: FunctionResponse): FunctionResponse {
    if ("error" in response || Buffer.byteLength(response.result) <= maxPayloadBytes) return response;
    const message = `Response payload size exceeded maximum allowed payload size (${maxPayloadBytes} bytes).`;
    onLine(JSON.stringify({ level: "ERROR", requestId: response.requestId, message }));
    const error = { name: "Function.ResponseSizeTooLarge", message, stack: "" };
    return { requestId: response.requestId, error };
  }

  function failAll(name: string, message: string): void {
    for (const requestId of [...pendingInvocations.keys()])
      settle({ requestId, error: { name, message, stack: "" } });
  }

  worker.on("message", (message: FunctionMessage) => {
    if ("line" in message) onLine(message.line);
    else if ("isLoaded" in message) loaded.resolve();
    else settle(message);
  });
  worker.on("error", (error: NodeJS.ErrnoException) => {
    const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    const problem = isFull
      ? `${data.functionName} needs more than its ${data.memoryMb} MB of memory`
      : `the thread of ${data.functionName} ended: ${error.message}`;
    onLine(JSON.stringify({ level: "FATAL", message: isFull ? problem : (error.stack ?? String(error)) }));
    failAll(isFull ? "Runtime.OutOfMemory" : "Runtime.ExitError", problem);
  });
  worker.on("exit", () => {
    failAll("Runtime.ExitError", `the thread of ${data.functionName} ended`);
    ownPort.close();
    retire();
    onExit();
  });
  worker.unref();

  return {
    activeInvocations: () => pendingInvocations.size,
    stop: async () => {
      await worker.terminate();
    },
    run: (requestId, event) =>
      new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined;
        const endAfter = (ms: number) => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            const message = `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
            onLine(JSON.stringify({ level: "ERROR", requestId, message }));
            retire();
            settle({ requestId, error: { name: "Sandbox.Timedout", message, stack: "" } });
          }, ms);
        };
        // As on AWS, loading does not count towards the timeout.
        endAfter(maxLoadingMs + timeoutMs);
        void loaded.promise.then(() => {
          if (!pendingInvocations.has(requestId)) return;
          const deadlineMs = Date.now() + timeoutMs;
          endAfter(timeoutMs);
          worker.postMessage({
            requestId,
            event: JSON.stringify(event),
            deadlineMs,
          } satisfies FunctionRequest);
        });
        pendingInvocations.set(requestId, (response) => {
          clearTimeout(timer);
          if ("error" in response) reject(new FunctionError(response.error));
          else resolve(JSON.parse(response.result));
        });
      }),
  };
}
