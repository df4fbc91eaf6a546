import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { problem, refuseUnknown, time } from "../../api/answer.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { withoutCredentials } from "../../core/url-credentials.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import { source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import type { RequestQueue } from "../../web/request/request.ts";
import { type DetectionStore, detectedKinds, requestDetection } from "../detect/detection.ts";
import { chooseGroup } from "./choose-group.ts";

export interface DetectionPorts {
  detections: Pick<DetectionStore, "create" | "get">;
  configuration: Pick<ConfigurationStore, "page">;
  sources: Pick<SourceStore, "group">;
  requests: RequestQueue;
  clock: Clock;
  newId(): string;
}

const address = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(4000)
  .overwrite(withoutCredentials);

const { sourceId, title, type, url, groupId, crawl } = source.shape;
const { maxDepth, sitemaps } = crawl.unwrap().shape;

const proposedSource = z
  .strictObject({
    ...{ sourceId, title, type, url, groupId },
    deliveryMode: z.literal("NONE"),
    crawl: z
      .strictObject({ maxDepth: maxDepth.unwrap().optional(), sitemaps: sitemaps.unwrap().optional() })
      .optional(),
  })
  .describe("Send this source to `POST /sources`, with or without changes");

const detection = { url: z.string(), groupId: z.string(), requestedAt: time };

const outcome = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("found"),
    kind: z.enum(detectedKinds),
    detail: z.string().describe("The kind of source that was found, and where"),
    source: proposedSource,
  }),
  z.strictObject({ type: z.literal("nothing"), detail: z.string().describe("Why nothing was found") }),
]);

const route = routesOver<DetectionPorts>();

export const detectionSubject = {
  title: "New sources from an address",
  introduction:
    "Detects whether an address is an OAI-PMH repository, a feed, a page that offers either, a sitemap, or the page of a journal or article, and proposes a source. Save it with `POST /sources`: its mode `NONE` (preview) delivers nothing. Check `POST /sources/{id}/preview`, then set `deliveryMode` with `PATCH /sources/{id}`.",
  audience: "operator",
  routes: [
    route({
      method: "POST",
      path: "/detections",
      summary: "Detects the kind of source at an address",
      details: "Hosts are requested in turn, so the result takes a while. Get it from the path in `result`.",
      body: z.strictObject({
        url: address.describe("The address of a journal, a feed, a repository or a sitemap"),
        groupId: groupId
          .optional()
          .describe("The group of the new source; required when there are several groups"),
      }),
      example: { url: "https://journal.example/" },
      answers: {
        202: acceptedAnswer("The address will be requested", ["running"], {}),
      },
      handler:
        (ports) =>
        async (context, { body }) => {
          const group = await chooseGroup(body.groupId, ports);
          const { detectionId } = await requestDetection({ url: body.url, group }, ports);
          return accept(context, { status: "running", result: `/detections/${detectionId}` });
        },
    }),
    route({
      method: "GET",
      path: "/detections/{id}",
      summary: "Returns the kind of source at an address",
      params: z.strictObject({ id: z.string().regex(/^[\w-]{1,64}$/, "must be the id of a detection") }),
      answers: {
        200: {
          description: "The detection has ended",
          body: z.strictObject({ status: z.literal("finished"), ...detection, outcome }),
        },
        202: acceptedAnswer("The detection is in progress; try again", ["running"], detection),
        404: problem("No such detection; detections are kept for a day"),
      },
      handler:
        ({ detections }) =>
        async (context, { params: { id } }) => {
          const found = await detections.get(id);
          if (found === undefined) return refuseUnknown(context, "detection", id);
          const { detectionId: _id, result, ...asked } = found;
          if (result === undefined)
            return accept(context, { status: "running", result: `/detections/${id}` }, asked);
          return context.json({ status: "finished", ...asked, outcome: result });
        },
    }),
  ],
} satisfies Subject<DetectionPorts>;
