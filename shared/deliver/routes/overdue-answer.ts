import * as z from "zod";
import { count, time } from "../../api/answer.ts";

/** A live source without a delivery for longer than its window. */
export const overdueSource = z
  .strictObject({
    sourceId: z.string(),
    title: z.string(),
    windowDays: count.describe("Days between two deliveries that the source is allowed"),
    lastDeliveredAt: time.optional().describe("Absent when nothing was ever delivered"),
  })
  .meta({ title: "OverdueSource" });
