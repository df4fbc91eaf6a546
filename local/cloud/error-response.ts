import { jsonError, restError, type ServiceResponse } from "./service.ts";

interface ServiceError {
  readonly code: "AccessDenied" | "UnrecognizedClient" | "NotImplemented" | "InternalFailure";
  readonly message: string;
}

const statusOf: Record<ServiceError["code"], number> = {
  AccessDenied: 403,
  UnrecognizedClient: 403,
  NotImplemented: 501,
  InternalFailure: 500,
};

/**
 * Returns an error response in the service's protocol. The SDK throws the error under its usual name.
 *
 * @see https://smithy.io/2.0/aws/protocols/index.html
 */
export function errorResponse(service: string, { code, message }: ServiceError): ServiceResponse {
  const status = statusOf[code];
  if (service === "s3") {
    const text = message.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
    return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(body) };
  }
  const type = `${code}Exception`;
  if (["dynamodb", "sqs", "events", "secretsmanager"].includes(service)) {
    return jsonError(type, message, status === 403 ? 400 : status);
  }
  return restError(status, type, message);
}
