import {
  DeleteScheduleCommand,
  GetScheduleCommand,
  paginateListSchedules,
  SchedulerClient,
} from "@aws-sdk/client-scheduler";
import { GetQueueUrlCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { LocalCloud } from "../../local/cloud/cloud.ts";

/** Makes the further attempts of links that are asked for by now, as if they were due: sends their messages as the runbook does. Waits for what comes of them. */
export async function runDueAttempts(cloud: LocalCloud): Promise<void> {
  const { sqs } = await import("../../shared/adapters/aws/sqs-sdk.ts");
  const client = new SchedulerClient({});
  const GroupName = process.env.SCHEDULE_GROUP;
  const names: string[] = [];
  const pages = paginateListSchedules({ client }, { GroupName, NamePrefix: "recheck-" });
  for await (const { Schedules = [] } of pages) names.push(...Schedules.map(({ Name = "" }) => Name));
  for (const Name of names) {
    const { Target } = await client.send(new GetScheduleCommand({ GroupName, Name }));
    const QueueName = Target?.Arn?.split(":").at(-1);
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    const MessageGroupId = Target?.SqsParameters?.MessageGroupId;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: Target?.Input, MessageGroupId }));
    await client.send(new DeleteScheduleCommand({ GroupName, Name }));
  }
  await cloud.waitUntilIdle();
}
