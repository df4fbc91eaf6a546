import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { errorResponse } from "../error-response.ts";
import { callUnder, type Faults } from "../faults.ts";
import { type Access, AccessDenied, type Caller } from "../iam/access.ts";
import { type Meter, meteredCall } from "../meter.ts";
import { objectOf } from "../object-path.ts";
import { type Service, type ServiceRequest, type ServiceResponse, Unsupported } from "../service.ts";
import { type ActionContext, requiredAccess } from "./required-access.ts";

/** The caller of a request. "admin" is the operator, who has all permissions. */
export type Principal = Caller | "admin";

export interface GatewayParts {
  readonly actionContext: ActionContext;
  readonly access: Access;
  /** The services by their names in the credential scope. */
  readonly services: Readonly<Record<string, Service>>;
  /** Returns the owner of the access key; undefined for an unknown key. */
  readonly principalOf: (accessKeyId: string) => Principal | undefined;
  readonly faults: Faults | undefined;
  readonly meter: Meter | undefined;
}

/** Hop-by-hop headers. */
const hopByHop = ["connection", "expect", "keep-alive", "transfer-encoding", "upgrade"];

/** A request to the gateway, from a socket or a function's thread. */
interface GatewayRequest {
  readonly method: string;
  /** The path and the query, percent-encoded. */
  readonly url: string;
  /** The headers, with names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * The single endpoint of all AWS services. It identifies the caller, the service and the operation, checks
 * the policies of the templates, and calls the service.
 *
 * @returns undefined if a fault loses the response
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
export type Gateway = (request: GatewayRequest) => Promise<ServiceResponse | undefined>;

export function createGateway(parts: Promise<GatewayParts>): Gateway {
  return async (request) => {
    try {
      return await serve(readRequest(request), await parts);
    } catch (error) {
      const message = error instanceof Error ? error.stack : String(error);
      return errorResponse("s3", { code: "InternalFailure", message: String(message) });
    }
  };
}

/** Creates a server for the gateway, for clients other than the functions. */
export function createGatewayServer(gateway: Gateway): Server {
  return createServer((incoming, outgoing) => {
    void readBody(incoming)
      .then((body) => {
        const { method = "GET", url = "/", headers } = incoming;
        return gateway({ method, url, headers, body });
      })
      .then(
        (answer) => send(outgoing, answer),
        () => send(outgoing, undefined),
      );
  });
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function serve(request: ServiceRequest, parts: GatewayParts): Promise<ServiceResponse | undefined> {
  const credential = credentialOf(request);
  const principal = parts.principalOf(credential.accessKeyId);
  if (principal === undefined) {
    const message = "The security token included in the request is invalid.";
    return errorResponse(credential.service, { code: "UnrecognizedClient", message });
  }
  if (isExpired(request.query)) {
    return errorResponse(credential.service, { code: "AccessDenied", message: "Request has expired" });
  }
  try {
    const required = requiredAccess(credential.service, request, parts.actionContext);
    if (principal !== "admin") {
      for (const access of required) parts.access.assertCaller(principal, access);
    }
    const service = parts.services[credential.service] as Service;
    const answer = await callWithFaults(service, { request, principal, service: credential.service }, parts);
    if (parts.meter !== undefined && answer !== undefined && principal !== "admin") {
      parts.meter.call(meteredCall(credential.service, principal.session, { request, response: answer }));
    }
    return answer && hideMissingObject(answer, { request, principal, service: credential.service }, parts);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof AccessDenied)
      return errorResponse(credential.service, { code: "AccessDenied", message });
    if (error instanceof Unsupported)
      return errorResponse(credential.service, { code: "NotImplemented", message });
    return errorResponse(credential.service, { code: "InternalFailure", message });
  }
}

function callWithFaults(
  call: Service,
  { request, principal, service }: { request: ServiceRequest; principal: Principal; service: string },
  { faults }: GatewayParts,
): Promise<ServiceResponse | undefined> {
  if (faults === undefined) return call(request);
  const fault = faults.ofCall({
    functionName: principal === "admin" ? undefined : principal.session,
    isRepeat: !/\battempt=1\b/.test(String(request.headers["amz-sdk-request"] ?? "attempt=1")),
  });
  return callUnder(fault, { service, pauseMs: faults.pauseMs, call: () => call(request) });
}

/** For a missing object, S3 responds 404 only to callers who may list the bucket, and 403 to others. */
function hideMissingObject(
  answer: ServiceResponse,
  call: { request: ServiceRequest; principal: Principal; service: string },
  { access }: GatewayParts,
): ServiceResponse {
  const { request, principal } = call;
  const reads = request.method === "GET" || request.method === "HEAD";
  if (call.service !== "s3" || answer.status !== 404 || !reads || principal === "admin") return answer;
  const resource = `arn:aws:s3:::${objectOf(request.path).bucket}`;
  try {
    access.assertCaller(principal, { action: "s3:ListBucket", resource, context: {} });
    return answer;
  } catch (error) {
    return errorResponse("s3", { code: "AccessDenied", message: (error as AccessDenied).message });
  }
}

function readRequest({ method, url, headers: received, body }: GatewayRequest): ServiceRequest {
  const [path = "/", search = ""] = url.split("?", 2);
  const headers = { ...received };
  for (const name of hopByHop) delete headers[name];
  return { method, path, query: new URLSearchParams(search), headers, body };
}

/**
 * Returns the key and the service of `Credential=KEY/DATE/REGION/SERVICE/aws4_request`, from the header or
 * from a presigned URL.
 */
function credentialOf({ headers, query }: ServiceRequest): { accessKeyId: string; service: string } {
  const inHeader = /Credential=([^,\s]+)/.exec(headers.authorization ?? "")?.[1];
  const [accessKeyId = "", , , service = ""] = (inHeader ?? query.get("X-Amz-Credential") ?? "").split("/");
  return { accessKeyId, service };
}

/** Returns whether a presigned URL has expired. */
function isExpired(query: URLSearchParams): boolean {
  const [, year, month, day, hours, minutes, seconds] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get("X-Amz-Date") ?? "") ?? [];
  if (year === undefined) return false;
  const signedAt = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Date.now() > signedAt + Number(query.get("X-Amz-Expires") ?? 0) * 1000;
}

/** Sends a response. Without a response, the connection is reset. */
function send(outgoing: ServerResponse, response: ServiceResponse | undefined): void {
  if (response === undefined) outgoing.socket?.resetAndDestroy();
  else outgoing.writeHead(response.status, response.headers).end(response.body);
}
