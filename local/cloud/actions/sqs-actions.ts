import { type AccessRequest, accessTo } from "../iam/policy.ts";
import { arnOf, type CloudLocation, nameInArn } from "../location.ts";
import { inputOf, operationOf, type ServiceRequest, unsupported } from "../service.ts";

/** Batch operations need the permission of the single operation. */
const operations: Readonly<Record<string, string>> = {
  SendMessage: "SendMessage",
  SendMessageBatch: "SendMessage",
  ReceiveMessage: "ReceiveMessage",
  DeleteMessage: "DeleteMessage",
  DeleteMessageBatch: "DeleteMessage",
  ChangeMessageVisibility: "ChangeMessageVisibility",
  ChangeMessageVisibilityBatch: "ChangeMessageVisibility",
  GetQueueAttributes: "GetQueueAttributes",
  GetQueueUrl: "GetQueueUrl",
  PurgeQueue: "PurgeQueue",
  StartMessageMoveTask: "StartMessageMoveTask",
  ListMessageMoveTasks: "ListMessageMoveTasks",
};

/** Returns the permissions that a request to SQS needs. @throws Unsupported */
export function sqsActions(request: ServiceRequest, location: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  const action = operations[operation] ?? unsupported("SQS", operation);
  const input = inputOf<{ QueueUrl?: string; QueueName?: string; SourceArn?: string }>(request);
  const name = input.QueueName ?? input.QueueUrl?.split("/").at(-1) ?? nameInArn(input.SourceArn ?? "");
  return [accessTo(`sqs:${action}`, arnOf(location, "sqs", name))];
}
