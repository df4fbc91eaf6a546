import { objectOf } from "./object-path.ts";
import { operationOf, type Service, type ServiceRequest, type ServiceResponse } from "./service.ts";

/** A call from a function or an event source to a service. */
export interface MeteredCall {
  /** The name of the function. For an event source: `poller of` and its function. */
  readonly caller: string;
  /** The service as in the credential scope: `sqs`, `s3`, `dynamodb`, … */
  readonly service: string;
  readonly operation: string;
  /**
   * The name of the table, queue or bucket. For an object, followed by `/` and the first segment of the key.
   */
  readonly resource: string;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** The number of messages or events in a batch, or of keys in a batch of items; otherwise 1. */
  readonly entries: number;
}

/** The capacity units that DynamoDB bills on demand. */
export interface MeteredUnits {
  readonly table: string;
  /** The name of the index; absent for the table itself. */
  readonly index?: string;
  readonly kind: "read" | "write";
  readonly units: number;
}

export interface MeteredInvocation {
  readonly functionName: string;
  readonly memoryMb: number;
  readonly ms: number;
}

/** Receives everything that AWS would bill. */
export interface Meter {
  call(call: MeteredCall): void;
  units(units: MeteredUnits): void;
  invocation(invocation: MeteredInvocation): void;
  /** Receives the size of a line of a function's log. */
  logLine(functionName: string, bytes: number): void;
}

/** Describes a call to a service for a meter. */
export function meteredCall(
  service: string,
  caller: string,
  { request, response }: { request: ServiceRequest; response: ServiceResponse },
): MeteredCall {
  const sizes = { requestBytes: request.body.byteLength, responseBytes: response.body.byteLength };
  const operation = operationOf(request);
  if (operation === "") {
    const call = service === "s3" ? objectCall(request) : { resource: "", operation: request.method };
    return { caller, service, ...call, entries: 1, ...sizes };
  }
  const input = JSON.parse(request.body.toString() || "{}");
  const ofBatch =
    input.RequestItems === undefined ? undefined : Object.entries<object>(input.RequestItems)[0];
  const resource =
    ofBatch?.[0] ??
    input.TableName ??
    String(input.QueueUrl ?? "")
      .split("/")
      .at(-1) ??
    "";
  const keys = ofBatch?.[1] as { Keys?: unknown[] } | unknown[] | undefined;
  const ofItems = Array.isArray(keys) ? keys.length : keys?.Keys?.length;
  const entries = input.Entries?.length ?? input.Statements?.length ?? ofItems ?? 1;
  return { caller, service, operation, resource, entries, ...sizes };
}

function objectCall({ method, path }: ServiceRequest): { resource: string; operation: string } {
  const { bucket, key } = objectOf(path);
  const resource = key === "" ? bucket : `${bucket}/${key.split("/")[0]}`;
  if (key === "" && method === "GET") return { resource, operation: "List" };
  return { resource, operation: method };
}

/**
 * Returns a service that meters the calls of an event source. A receive without messages is not metered,
 * because the number of such receives depends on time.
 */
export function meterPoller(service: Service, functionName: string, meter: Meter | undefined): Service {
  if (meter === undefined) return service;
  return async (request) => {
    const response = await service(request);
    const call = meteredCall("sqs", `poller of ${functionName}`, { request, response });
    const isEmpty = call.operation === "ReceiveMessage" && !response.body.includes('"Messages":[{');
    if (!isEmpty) meter.call(call);
    return response;
  };
}
