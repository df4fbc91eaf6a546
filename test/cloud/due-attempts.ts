import { DeleteScheduleCommand, paginateListSchedules, SchedulerClient } from "@aws-sdk/client-scheduler";
import type { LocalCloud } from "../../local/cloud/cloud.ts";

/** Makes the further attempts of links that are asked for by now, as if they were due, and waits for what comes of them. */
export async function runDueAttempts(cloud: LocalCloud): Promise<void> {
  const client = new SchedulerClient({});
  const GroupName = process.env.SCHEDULE_GROUP;
  const names: string[] = [];
  const pages = paginateListSchedules({ client }, { GroupName, NamePrefix: "recheck-" });
  for await (const { Schedules = [] } of pages) names.push(...Schedules.map(({ Name = "" }) => Name));
  for (const Name of names) {
    await cloud.runSchedule(Name);
    await client.send(new DeleteScheduleCommand({ GroupName, Name }));
  }
  await cloud.waitUntilIdle();
}
