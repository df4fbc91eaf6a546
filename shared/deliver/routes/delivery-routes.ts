import * as z from "zod";
import { count, problem, refuseUnknown, time } from "../../api/answer.ts";
import { afterPosition, afterText, next, pageByPosition, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { deliveredModes, runModes } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { type Delivery, deliverySortKey, deliverySortKeyPattern } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { DeliveryUrls } from "../stage-results/delivery-urls.ts";
import { type WaitingFile, waitingFiles } from "../upload/waiting-files.ts";
import { runFailure } from "./run-answers.ts";

export interface DeliveryPorts {
  deliveries: Pick<DeliveryStore, "list" | "get">;
  runs: Pick<RunStore, "listUnfinished" | "stageResult">;
  fileUrls: DeliveryUrls;
}

const delivery = z
  .strictObject({
    deliveryId: z.string(),
    groupId: z.string(),
    fileName: z.string().describe("`<group>_zotero_YYMMDD_NNN.xml`, or `…_NNN_updates.xml` for updates"),
    key: z.string().describe("The key in the bucket of deliveries"),
    runId: z.string().describe("The run, or the reconversion of a file of updates"),
    runStartedAt: time,
    deliveryMode: z.enum(runModes),
    records: count,
    sizeBytes: count,
    deliveredAt: time,
  })
  .meta({ title: "Delivery" });

const waitingFile = z
  .strictObject({
    fileName: z.string(),
    groupId: z.string(),
    records: count,
    runId: z.string(),
    runStartedAt: time,
    deliveryMode: z.enum(deliveredModes),
    failure: runFailure.optional().describe("Absent while the delivery is in progress"),
  })
  .meta({ title: "WaitingFile" });

const route = routesOver<DeliveryPorts>();

export const deliverySubject = {
  title: "Deliveries",
  introduction: "A delivery is one file that was delivered to a group.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/deliveries",
      summary: "Lists delivered files, newest first",
      query: z.strictObject({
        limit: pageLimit({ most: 500, otherwise: 50 }),
        after: z
          .string()
          .regex(deliverySortKeyPattern, "must be the `next` of a page of deliveries")
          .optional()
          .describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ deliveries: z.array(delivery), next }) },
      },
      handler:
        ({ deliveries }) =>
        async (context, { query: { limit, after } }) => {
          const found = await deliveries.list({ limit: limit + 1, after });
          const page = found.slice(0, limit);
          const last = found.length > limit ? page.at(-1) : undefined;
          return context.json({
            deliveries: page.map(deliveryView),
            ...(last && { next: deliverySortKey(last) }),
          });
        },
    }),
    route({
      method: "GET",
      path: "/deliveries/waiting",
      summary: "Lists the files that have not reached their receivers yet, earliest run first",
      details:
        "`failure` is the last error of the receiver (such as its SFTP server) or of Ingather. The next run of the same mode, started by its schedule or `POST /runs`, sends the files again.",
      query: z.strictObject({ limit: pageLimit({ most: 500, otherwise: 100 }), after: afterPosition }),
      answers: {
        200: { description: "A page", body: z.strictObject({ files: z.array(waitingFile), next }) },
      },
      handler:
        ({ runs }) =>
        async (context, { query }) => {
          const { page, next } = pageByPosition(await waitingFiles(runs), query);
          return context.json({ files: page.map(waitingView), ...(next !== undefined && { next }) });
        },
    }),
    route({
      method: "GET",
      path: "/deliveries/{id}/file",
      summary: "Redirects to a delivered file",
      details: "The URL is valid for five minutes and needs no token. Do not send your token to it.",
      params: z.strictObject({ id: z.string().max(400).describe("The `deliveryId`") }),
      answers: {
        302: { description: "A redirect to the file", headers: { Location: "The URL of the file" } },
        404: problem("No such delivery"),
      },
      handler:
        ({ deliveries, fileUrls }) =>
        async (context, { params: { id } }) => {
          const sortKey = Buffer.from(id, "base64url").toString();
          const found = deliverySortKeyPattern.test(sortKey) ? await deliveries.get(sortKey) : undefined;
          if (found === undefined) return refuseUnknown(context, "delivery", id);
          context.header("Cache-Control", "no-store");
          return context.redirect(await fileUrls.downloadDelivery(found), 302);
        },
    }),
  ],
} satisfies Subject<DeliveryPorts>;

function waitingView({ fileName, groupId, documents, run, failure }: WaitingFile) {
  const { runId, startedAt: runStartedAt, deliveryMode } = run;
  return { fileName, groupId, records: documents.count, runId, runStartedAt, deliveryMode, failure };
}

function deliveryView(delivery: Delivery) {
  return { deliveryId: Buffer.from(deliverySortKey(delivery)).toString("base64url"), ...delivery };
}
