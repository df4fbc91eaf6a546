import { z } from "zod";
import { findOverdueSources, type OverdueSourcesPorts } from "../delivery/report/overdue.ts";
import { count, time } from "./answer.ts";
import { next, pageByKey, pageQuery } from "./paging.ts";
import { routesOver, type Subject } from "./route.ts";

/** A live source that brought nothing for longer than its window. */
export const overdueSource = z
  .strictObject({
    sourceId: z.string(),
    title: z.string(),
    windowDays: count.describe("Days between two deliveries that the source is allowed"),
    lastDeliveredAt: time.optional().describe("Absent when nothing was ever delivered"),
  })
  .meta({ title: "OverdueSource" });

const route = routesOver<OverdueSourcesPorts>();

export const reportSubject: Subject<OverdueSourcesPorts> = {
  title: "Reports",
  introduction: "What the daily report says, as of now.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/reports/overdue",
      summary: "Lists the live sources that brought nothing for longer than their window",
      details: "Sources that were never harvested are left out.",
      query: pageQuery({ most: 1000, otherwise: 1000 }),
      answers: {
        200: {
          description: "A page of the sources, by id",
          body: z.strictObject({ overdue: z.array(overdueSource), next }),
        },
      },
      handler:
        (ports) =>
        async (context, { query }) => {
          const { page, next } = pageByKey(
            await findOverdueSources(ports),
            query,
            ({ sourceId }) => sourceId,
          );
          return context.json({ overdue: page, next });
        },
    }),
  ],
};
