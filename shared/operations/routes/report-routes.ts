import * as z from "zod";
import { next, pageByKey, pageQuery } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { dayIn } from "../../core/day.ts";
import { findOverdueSources, type OverdueSourcesPorts } from "../../deliver/report/overdue.ts";
import { overdueSource } from "../../deliver/routes/overdue-answer.ts";
import { dayFigures } from "../../links/routes/collection-answers.ts";
import { figuresOf, type LinkStatistics } from "../../links/status/statistics.ts";

export interface ReportPorts extends OverdueSourcesPorts {
  statistics: Pick<LinkStatistics, "ofDay">;
  timeZone: string;
}

const route = routesOver<ReportPorts>();

export const reportSubject = {
  title: "Reports",
  introduction: "The current content of the daily report.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/reports/overdue",
      summary: "Lists the live sources that have had no delivery for longer than their window",
      details: "Sources that have never been harvested are omitted.",
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
    route({
      method: "GET",
      path: "/reports/links",
      summary:
        "Returns the report on links of a day, with the activated, suppressed and deleted links by collection",
      query: pageQuery({ most: 1000, otherwise: 200 }).extend({
        day: z.iso.date().optional().describe("In the configured time zone; today by default"),
      }),
      answers: {
        200: {
          description: "A page of the collections that have changes, by id",
          body: z.strictObject({ day: z.iso.date(), collections: z.array(dayFigures), next }),
        },
      },
      handler:
        ({ statistics, clock, timeZone }) =>
        async (context, { query: { day = dayIn(timeZone, clock.now()), ...query } }) => {
          const figures = figuresOf(await statistics.ofDay(day));
          const { page, next } = pageByKey(figures, query, ({ collectionId }) => collectionId);
          return context.json({ day, collections: page, next });
        },
    }),
  ],
} satisfies Subject<ReportPorts>;
