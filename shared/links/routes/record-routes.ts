import { etag } from "hono/etag";
import * as z from "zod";
import { accept, acceptedAnswer } from "../../api/accepted.ts";
import { problem, problemBody, refuse, refuseUnknown } from "../../api/answer.ts";
import { negotiate } from "../../api/negotiate.ts";
import { next, pageByKey, pageLimit, pageQuery } from "../../api/paging.ts";
import { recordId } from "../../api/record-id.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { cacheFor } from "../../core/cache-for.ts";
import { InputError } from "../../core/errors.ts";
import { formatCursor, parseCursor } from "../../records/documents/record-cursor.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { LinkHistory } from "../check/check-history.ts";
import { type CheckRequest, type RequestCheckPorts, requestCheck } from "../check/request-check.ts";
import { collectionStatusOf } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkRecords } from "../status/link-records.ts";
import type { RecordLink } from "../status/record-link.ts";
import { statusValue } from "./collection-answers.ts";
import { hiddenRecords } from "./hidden-records.ts";
import { checkedLink, fullRecord, listedRecord, publicRecordView, readerLink } from "./record-answers.ts";
import { formatRecord, type RecordFormat, recordFormats } from "./record-formats.ts";

export interface RecordPorts extends Omit<RequestCheckPorts, "records" | "collections"> {
  records: Pick<RecordStore, "get" | "loadMarc">;
  links: Pick<LinkRecords, "get" | "list" | "listByState" | "claimCheck" | "releaseCheck">;
  collections: Pick<CollectionStore, "get" | "status" | "all" | "linkStatuses">;
  history: Pick<LinkHistory, "latest">;
  /** Does work that the response does not depend on. A failure is logged. */
  bestEffort(what: string, work: () => Promise<unknown>): Promise<void>;
}

const params = z.strictObject({ id: recordId });

/**
 * The maximum age of the list of suppressed collections. Building the list reads all collections, so an instance builds
 * it at most once in this time. Clients may cache the response for the same time again. Checks run every two hours.
 */
const suppressedMaxAgeMs = 30_000;

const formats = Object.keys(recordFormats) as RecordFormat[];

const route = routesOver<RecordPorts>();

export const recordSubject = {
  title: "Records",
  introduction: "Harvested records, and the status of their links.",
  audience: "public",
  routes: [
    route({
      method: "GET",
      path: "/records",
      summary: "Lists the records of a collection, newest first, or the suppressed or deleted records",
      details:
        "Without `state`, suppressed and deleted records are omitted; for a suppressed or deleted collection, the list is empty. " +
        "With `state`, the list has exactly the records with that link status, of one collection or of all. Suppressed records are sorted by " +
        "the time of their next attempt, deleted records by the time of their deletion, latest first. A record that is active " +
        "but belongs to a suppressed collection is not listed. A page may be short; follow `next` until it is absent.",
      query: z.strictObject({
        collection: z
          .string()
          .min(1)
          .max(128)
          .optional()
          .describe("The id of a collection; optional with `state`"),
        state: statusValue.exclude(["active"]).optional(),
        limit: pageLimit({ most: 200, otherwise: 50 }),
        after: z.string().max(2000).optional().describe("The `next` of the previous page"),
      }),
      answers: {
        200: {
          description: "A page",
          body: z.strictObject({
            collection: z
              .strictObject({ collectionId: z.string(), status: statusValue })
              .optional()
              .describe("Set when the query has no `state`"),
            records: z.array(listedRecord),
            next,
          }),
        },
      },
      handler:
        ({ collections, links }) =>
        async (context, { query: { collection, state, limit, after: cursor } }) => {
          if (state !== undefined) {
            const page = await hiddenRecords(state, { collection, limit, cursor }, links);
            return context.json(page);
          }
          if (collection === undefined) {
            throw new InputError("collection", collection, "is missing; without `state` it is required");
          }
          const after = cursor === undefined ? undefined : parseCursor(collection, cursor);
          if (cursor !== undefined && after === undefined) {
            throw new InputError(
              "after",
              cursor,
              `must be the \`next\` of a page of collection ${collection}`,
            );
          }
          const status = await collections.status(collection);
          const page = status === "active" ? await links.list(collection, { limit, after }) : { items: [] };
          return context.json({
            collection: { collectionId: collection, status },
            records: page.items.map(({ recordId, title, landingUrl, syndicatedAt }) => ({
              recordId,
              title,
              landingUrl,
              syndicatedAt,
            })),
            ...(page.next !== undefined && { next: formatCursor(collection, page.next) }),
          });
        },
    }),
    route({
      method: "GET",
      path: "/suppressed-collections",
      summary: "Lists the collections that a search system must leave out",
      details: "Lists all suppressed and deleted collections. The list is at most a minute old.",
      query: pageQuery({ most: 5000, otherwise: 1000 }),
      answers: {
        200: {
          description: "A page of the collections, by id",
          body: z.strictObject({
            next,
            collections: z.array(
              z.strictObject({
                collectionId: z.string(),
                title: z.string(),
                status: statusValue.exclude(["active"]),
              }),
            ),
          }),
          headers: { etag: "Send it as `If-None-Match`", "cache-control": "How long the list may be cached" },
        },
        304: { description: "Unchanged since the ETag in `If-None-Match`" },
      },
      middleware: [etag()],
      handler: ({ collections, clock }) => {
        const load = cacheFor(suppressedMaxAgeMs, () => suppressedCollections(collections), clock);
        return async (context, { query }) => {
          context.header("cache-control", `public, max-age=${suppressedMaxAgeMs / 1000}`);
          const { page, next } = pageByKey(await load(), query, ({ collectionId }) => collectionId);
          return context.json({ collections: page, next });
        };
      },
    }),
    route({
      method: "GET",
      path: "/records/{id}",
      summary: "Returns a record, regardless of its state",
      details:
        "The record is returned as JSON with its link status, or in the format that `Accept` names. Unknown query parameters are ignored.",
      params,
      query: "ignored",
      answers: {
        200: {
          description: "The record",
          body: fullRecord,
          alternatives: recordFormats,
        },
        404: problem("No such record"),
        406: problem("`Accept` names none of these formats"),
      },
      handler:
        ({ records, links, collections }) =>
        async (context, { params: { id } }) => {
          const accept = context.req.header("accept");
          const format = negotiate(accept, ["application/json", ...formats]);
          context.header("Vary", "Accept");
          if (format === undefined) {
            const detail = `a record is served as application/json, ${formats.join(", ")}`;
            return refuse(context, 406, { detail, field: "Accept", value: accept });
          }
          const [record, linked] = await Promise.all([records.get(id), links.get(id)]);
          if (record === undefined || linked === undefined) {
            return refuseUnknown(context, "record", id);
          }
          const marc = await records.loadMarc(record.recordKey);
          if (format !== "application/json") {
            const formatted = formatRecord(marc, format);
            if (formatted.type === "formatted") {
              return context.body(formatted.body, 200, { "content-type": formatted.contentType });
            }
            const detail = `record ${id} does not fit ISO 2709: ${formatted.reason}`;
            return refuse(context, 406, { detail, field: "Accept", value: accept });
          }
          const link = {
            status: linked.link?.status ?? "active",
            collectionStatus: await collections.status(linked.collectionId),
          };
          return context.json({ ...publicRecordView(record), link, marc });
        },
    }),
    route({
      method: "GET",
      path: "/records/{id}/source",
      summary: "Redirects to the page that a record points to",
      details:
        "The link is checked when its host is idle: at most once in six hours, and at most 60 links per host and hour " +
        "(a setting of the deployment). With `Accept: application/json`, the response is the last known status instead of " +
        "the redirect. Unknown query parameters are ignored.",
      params,
      query: "ignored",
      answers: {
        200: { description: "As JSON: this call requested no check", body: checkedLink },
        202: acceptedAnswer("As JSON: this call requested a check", ["requested"], { link: readerLink }),
        302: {
          description: "A redirect to the page, whether or not a check was requested",
          headers: { location: "The URL of the page" },
        },
        404: problem("No such record, or it has no landing URL"),
        429: {
          description: "As JSON: the hourly limit of checks that readers may cause on this host is reached",
          body: problemBody.extend({
            link: readerLink
              .optional()
              .describe("Absent when the limit of requests to this route is reached instead"),
          }),
          headers: { "retry-after": "The seconds until the next hour" },
        },
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const record = await ports.links.get(id);
          if (record === undefined) return refuseUnknown(context, "record", id);
          const landing = URL.parse(record.landingUrl);
          if (landing === null || !/^https?:$/.test(landing.protocol)) {
            return refuse(context, 404, {
              detail: `record ${id} has no landing URL`,
              field: "id",
              value: id,
            });
          }
          const check = await requestCheckOf(record, ports);
          if (prefersJson(context.req.header("accept"))) {
            const link = await describeLink(record, ports);
            if (check.type === "requested") {
              return accept(context, { status: check.type, result: `/records/${id}`, seconds: 30 }, { link });
            }
            if (check.type !== "over-share") return context.json({ status: check.type, link });
            const waitMs = check.retryAt.getTime() - ports.clock.now().getTime();
            context.header("Retry-After", String(Math.max(1, Math.ceil(waitMs / 1000))));
            const detail = "readers have reached the hourly limit of checks on this host";
            return refuse(context, 429, { detail, field: "id", value: id }, { link });
          }
          // `context.redirect` escapes an escaped URL again when it finds a character that is not escaped.
          return context.body(null, 302, { location: landing.href });
        },
    }),
  ],
} satisfies Subject<RecordPorts>;

/** Requests a check of a link. The response to the reader does not depend on its success. */
async function requestCheckOf(
  record: RecordLink,
  ports: RecordPorts,
): Promise<CheckRequest | { type: "failed" }> {
  let check: CheckRequest | { type: "failed" } = { type: "failed" };
  await ports.bestEffort(`the check of record ${record.recordId} could not be requested`, async () => {
    check = await requestCheck(record, { ...ports, records: ports.links });
  });
  return check;
}

/** Describes the state of a link for a reader. */
async function describeLink(
  { recordId, landingUrl, link: status }: RecordLink,
  { history }: Pick<RecordPorts, "history">,
): Promise<z.output<typeof readerLink>> {
  const [last] = await history.latest(recordId, 1);
  return {
    recordId,
    landingUrl,
    status: status?.status ?? "active",
    ...(last && { judgedAt: last.judgedAt, verdict: last.verdict, reason: last.reason }),
  };
}

/** Returns whether a client prefers JSON to a page. */
function prefersJson(accept = ""): boolean {
  return /\bapplication\/json\b/.test(accept) && !/\btext\/html\b/.test(accept);
}

async function suppressedCollections(collections: Pick<CollectionStore, "all" | "linkStatuses">) {
  const [{ collections: all, unusable }, linkStatuses] = await Promise.all([
    collections.all(),
    collections.linkStatuses(),
  ]);
  const untitled = unusable.map((each) => ({ ...each, title: each.collectionId }));
  return [...all, ...untitled].flatMap((each) => {
    const { collectionId, title } = each;
    const status = collectionStatusOf(each, linkStatuses.get(collectionId));
    return status === "active" ? [] : [{ collectionId, title, status }];
  });
}
