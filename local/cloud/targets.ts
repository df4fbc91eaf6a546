import { ConfigError } from "../../shared/core/errors.ts";
import type { AsyncInvocations } from "./async-invocations.ts";
import type { Place } from "./resources.ts";
import { callJson, type Service } from "./service.ts";

export interface Delivery {
  readonly arn: string;
  readonly payload: string;
  readonly groupId?: string | undefined;
  /** What a queue's message says besides. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Delivers what a schedule or a rule has to say: to a queue, or to a function that nobody waits for. */
export type Deliver = (delivery: Delivery) => Promise<void>;

export function createDeliver({
  sqs,
  later,
  place,
}: {
  sqs: Service;
  later: AsyncInvocations;
  place: Place;
}): Deliver {
  return async ({ arn, payload, groupId, attributes = {} }) => {
    const name = arn.split(":").at(-1) ?? "";
    if (permissionOf(arn) === "lambda:InvokeFunction") {
      await later.send(name, JSON.parse(payload));
      return;
    }
    await callJson(sqs, "AmazonSQS.SendMessage", {
      QueueUrl: `${place.gatewayUrl}/${place.account}/${name}`,
      MessageBody: payload,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: "String", StringValue }]),
      ),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
    });
  };
}

/**
 * The permission that a delivery needs.
 *
 * @throws ConfigError for targets that are neither queues nor functions.
 */
export function permissionOf(arn: string): "sqs:SendMessage" | "lambda:InvokeFunction" {
  const service = arn.split(":")[2];
  if (service === "sqs") return "sqs:SendMessage";
  if (service === "lambda") return "lambda:InvokeFunction";
  throw new ConfigError(`${arn}: the local cloud delivers to queues and functions only`);
}
