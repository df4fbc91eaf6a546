import type { IncomingHttpHeaders } from "node:http";

/** A call of an AWS API as it came over HTTP. */
export interface ServiceRequest {
  readonly method: string;
  /** The path without query, still percent-encoded. */
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

/** One AWS service: an emulator in this process, or one of our small endpoints. Whoever calls it may do so. */
export type Service = (request: ServiceRequest) => Promise<ServiceResponse>;

/** What the emulators cannot do, or do otherwise than AWS: refused rather than done wrong. */
export class Unsupported extends Error {
  override readonly name = "NotImplemented";
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

/** Calls an action of a service that speaks AWS JSON, past the gateway: as the cloud itself. */
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
