import type { IncomingHttpHeaders } from "node:http";

/** An HTTP request to an AWS API. */
export interface ServiceRequest {
  readonly method: string;
  /** The path without the query, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

/** An AWS service, emulated by a package or by Ingather. It does not check permissions. */
export type Service = (request: ServiceRequest) => Promise<ServiceResponse>;

/** A request that the emulators do not support, or process differently from AWS. */
export class Unsupported extends Error {
  override readonly name = "NotImplemented";
}

/** @throws Unsupported */
export function unsupported(service: string, operation: string): never {
  throw new Unsupported(`the local cloud's ${service} has no operation ${operation}`);
}

/** Returns the operation's name from the X-Amz-Target header of the AWS JSON protocols. */
export function operationOf({ headers }: ServiceRequest): string {
  return (
    String(headers["x-amz-target"] ?? "")
      .split(".")
      .at(-1) ?? ""
  );
}

/** Parses the JSON input of an operation. */
export function inputOf<Input>({ body }: ServiceRequest): Input {
  return JSON.parse(body.toString() || "{}") as Input;
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): ServiceResponse {
  return {
    status,
    headers: { "content-type": "application/x-amz-json-1.0", ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/**
 * Returns an error in the AWS JSON protocol: SQS, DynamoDB, EventBridge, Secrets Manager. @see https://smithy.io/2.0/aws/protocols/index.html
 */
export function jsonError(type: string, message: string, status = 400): ServiceResponse {
  return jsonResponse(status, { __type: `com.amazonaws#${type}`, message });
}

/** Returns an error in the REST-JSON protocol, whose type is in a header: Lambda, Scheduler, SES. */
export function restError(status: number, type: string, message: string): ServiceResponse {
  const headers = { "x-amzn-errortype": type, "content-type": "application/json" };
  return jsonResponse(status, { message }, headers);
}

/** Calls an AWS JSON action of a service directly, without the gateway's permission check. */
export async function callJson<Answer = unknown>(
  service: Service,
  target: string,
  input: unknown,
): Promise<Answer> {
  const answer = await service({
    method: "POST",
    path: "/",
    query: new URLSearchParams(),
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": target },
    body: Buffer.from(JSON.stringify(input)),
  });
  const output = JSON.parse(answer.body.toString() || "{}");
  if (answer.status < 400) return output as Answer;
  const type = String(output.__type ?? "")
    .split("#")
    .at(-1);
  throw Object.assign(new Error(`${target}: ${output.message ?? output.Message ?? type}`), { name: type });
}
