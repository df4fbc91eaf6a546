/**
 * Runs in a function's worker thread: loads the deployed bundle once and handles invocations concurrently. The parent sets
 * the thread's environment variables to the function's.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { format, inspect } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { sendToGateway } from "../gateway/gateway-client.ts";
import { shiftClock } from "./shift-clock.ts";
import type { FunctionMessage, FunctionRequest, FunctionResponse, WorkerData } from "./worker.ts";

const { moduleUrl, handlerName, functionName, arn, memoryMb, gatewayUrl, gatewayPort, clockOffset } =
  workerData as WorkerData;
const port = parentPort as NonNullable<typeof parentPort>;
const invocation = new AsyncLocalStorage<FunctionRequest>();

/** Writes Lambda's JSON log format: one object per line, with the request id. */
function installConsole(): void {
  const levels = {
    trace: "TRACE",
    debug: "DEBUG",
    log: "INFO",
    info: "INFO",
    warn: "WARN",
    error: "ERROR",
  } as const;
  for (const [method, level] of Object.entries(levels)) {
    console[method as keyof typeof levels] = (...values: unknown[]) => {
      const message = values.length === 1 && typeof values[0] === "object" ? values[0] : format(...values);
      const requestId = invocation.getStore()?.requestId;
      const line = { timestamp: new Date().toISOString(), level, requestId, message: toJsonValue(message) };
      // Lines are sent as messages, because stdout is slower and the lines of an invocation must arrive
      // before its response.
      port.postMessage({ line: JSON.stringify(line) } satisfies FunctionMessage);
    };
  }
}

/**
 * Tells the SDK the trace id of the invocation that makes a call. Lambda's runtime does the same when several
 * invocations run at once.
 * @see https://github.com/awslabs/aws-lambda-invoke-store
 */
function installInvokeStore(): void {
  const InvokeStore = { getXRayTraceId: () => invocation.getStore()?.traceId };
  Object.assign(globalThis, { awslambda: { InvokeStore } });
}

function toJsonValue(message: unknown): unknown {
  if (message instanceof Error) {
    return { errorType: message.name, errorMessage: message.message, stackTrace: message.stack?.split("\n") };
  }
  try {
    return JSON.parse(JSON.stringify(message) ?? "null");
  } catch {
    return inspect(message); // Cycles and bigints have no JSON.
  }
}

function contextOf({ requestId, timeoutMs }: FunctionRequest) {
  // As on Lambda, both times are those of the function's own host.
  const deadlineMs = Date.now() + timeoutMs;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: arn,
    memoryLimitInMB: String(memoryMb),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: "local",
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

async function respond(request: FunctionRequest): Promise<FunctionResponse> {
  const { requestId } = request;
  try {
    const handler = await loading;
    const result = await handler(JSON.parse(request.event), contextOf(request));
    return { requestId, result: JSON.stringify(result ?? null) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(format(thrown));
    console.error({
      errorType: error.name,
      errorMessage: error.message,
      stack: error.stack,
      cause: error.cause,
    });
    return { requestId, error: { name: error.name, message: error.message, stack: error.stack ?? "" } };
  }
}

async function load(): Promise<(event: unknown, context: unknown) => unknown> {
  const loaded = await import(moduleUrl);
  const handler = loaded[handlerName];
  if (typeof handler !== "function") throw new Error(`${handlerName} is not exported by ${moduleUrl}`);
  return handler;
}

installConsole();
installInvokeStore();
sendToGateway(gatewayUrl, gatewayPort);
if (clockOffset !== undefined) shiftClock(clockOffset);
const loading = load();
const reportLoaded = () => port.postMessage({ isLoaded: true } satisfies FunctionMessage);
// An error while loading is reported by each invocation.
loading.then(reportLoaded, reportLoaded);
port.on("message", (request: FunctionRequest) => {
  void invocation.run(request, async () => port.postMessage(await respond(request)));
});
