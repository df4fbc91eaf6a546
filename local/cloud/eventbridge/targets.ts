import { ConfigError } from "../../../shared/core/errors.ts";
import type { AsyncInvocations } from "../lambda/async-invocations.ts";
import { type CloudLocation, nameInArn, queueUrlOf } from "../location.ts";
import type { LogGroups } from "../log-groups.ts";
import { callJson, type Service } from "../service.ts";

export interface TargetCall {
  readonly arn: string;
  readonly payload: string;
  readonly groupId?: string | undefined;
  /** The message attributes, for a queue. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * Delivers the input of a schedule or rule: as a message to a queue, as an asynchronous invocation, or as an
 * event in a log.
 */
export type InvokeTarget = (delivery: TargetCall) => Promise<void>;

export function createTargetInvoker({
  sqs,
  asyncInvocations,
  logGroups,
  location,
}: {
  sqs: Service;
  asyncInvocations: AsyncInvocations;
  logGroups: LogGroups;
  location: CloudLocation;
}): InvokeTarget {
  return async ({ arn, payload, groupId, attributes = {} }) => {
    const name = nameInArn(arn);
    if (requiredAction(arn) === "logs:PutLogEvents") {
      logGroups.put(name, payload);
      return;
    }
    if (requiredAction(arn) === "lambda:InvokeFunction") {
      await asyncInvocations.send(name, JSON.parse(payload));
      return;
    }
    await callJson(sqs, "AmazonSQS.SendMessage", {
      QueueUrl: queueUrlOf(location, name),
      MessageBody: payload,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: "String", StringValue }]),
      ),
      ...(groupId !== undefined && { MessageGroupId: groupId }),
    });
  };
}

/**
 * Returns the permission that a delivery needs.
 *
 * @throws ConfigError for targets that are neither queues, functions nor log groups.
 */
export function requiredAction(
  arn: string,
): "sqs:SendMessage" | "lambda:InvokeFunction" | "logs:PutLogEvents" {
  const service = arn.split(":")[2];
  if (service === "sqs") return "sqs:SendMessage";
  if (service === "lambda") return "lambda:InvokeFunction";
  if (service === "logs") return "logs:PutLogEvents";
  throw new ConfigError(`${arn}: the local cloud delivers only to queues, functions and log groups`);
}
