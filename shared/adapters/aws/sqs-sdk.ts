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

/** The client that adapters load with their first call, because many invocations send nothing. */
export const sqs = new SQSClient({ logger: silentLogger });
