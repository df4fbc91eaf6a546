import { jsonAnswer, type ServiceAnswer } from "./service.ts";

interface Refusal {
  readonly code: "AccessDenied" | "UnrecognizedClient" | "NotImplemented" | "InternalFailure";
  readonly message: string;
}

const statusOf: Record<Refusal["code"], number> = {
  AccessDenied: 403,
  UnrecognizedClient: 403,
  NotImplemented: 501,
  InternalFailure: 500,
};

/**
 * An error in the shape of the service's protocol, so that the SDK yields it under its usual name.
 *
 * @see https://smithy.io/2.0/aws/protocols/index.html
 */
export function refusal(service: string, { code, message }: Refusal): ServiceAnswer {
  const status = statusOf[code];
  if (service === "s3") {
    const text = message.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
    return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(body) };
  }
  const type = `${code}Exception`;
  if (["dynamodb", "sqs", "events", "secretsmanager"].includes(service)) {
    return jsonAnswer(status === 403 ? 400 : status, {
      __type: `com.amazon.coral.service#${type}`,
      message,
    });
  }
  return jsonAnswer(
    status,
    { message, Message: message },
    { "x-amzn-errortype": type, "content-type": "application/json" },
  );
}
