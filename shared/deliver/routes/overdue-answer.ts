import * as z from "zod";
import { count, time } from "../../api/answer.ts";

/** A live source that has not been delivered for longer than its window. */
export const overdueSource = z
  .strictObject({
    sourceId: z.string(),
    title: z.string(),
    windowDays: count.describe("The allowed number of days between two deliveries of the source"),
    lastDeliveredAt: time.optional().describe("Absent if the source has never been delivered"),
  })
  .meta({ title: "OverdueSource" });
