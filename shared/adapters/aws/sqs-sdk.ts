import { SQSClient } from "@aws-sdk/client-sqs";
import { silentLogger } from "./silent-logger.ts";

export {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from "@aws-sdk/client-sqs";

/** What adapters load with their first call: many invocations send nothing. */
export const sqs = new SQSClient({ logger: silentLogger });
