import type { Context } from "hono";
import * as z from "zod";
import { problem, refuse, refuseUnknown } from "../../api/answer.ts";
import { etagHeader, etagOfRevision } from "../../api/etag.ts";
import { operatorOf } from "../../api/operator.ts";
import { wholeNumber } from "../../api/paging.ts";
import { readPrecondition, refuseStale } from "../../api/precondition.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { dayIn, daysBetween } from "../../core/day.ts";
import { InputError } from "../../core/errors.ts";
import type { Events } from "../../records/events/events.ts";
import type { Mailer } from "../../records/mail/mailer.ts";
import { ruleWarnings } from "../rule/rule-warnings.ts";
import { type Collection, collectionStatusOf } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import { holdCollection } from "../status/hold-collection.ts";
import type { LinkRecords } from "../status/link-records.ts";
import type { LinkStatus } from "../status/link-status.ts";
import { removeCollection } from "../status/remove-collection.ts";
import { restoreCollection } from "../status/restore.ts";
import { figuresOf, type LinkStatistics } from "../status/statistics.ts";
import {
  deadLinkSeries,
  estimateDeadLinks,
  estimateStartDay,
  maxSeriesWeeks,
  seriesStartDay,
} from "../sweep/estimate.ts";
import type { LinkSamples } from "../sweep/link-samples.ts";
import { collectionList, dayFigures, deadLinkEstimate, shownCollection } from "./collection-answers.ts";
import {
  type CollectionListPorts,
  collectionListQuery,
  isInvalid,
  listCollections,
} from "./collection-list.ts";
import { collectionUpdate, parseCollectionUpdate } from "./collection-update.ts";

export interface CollectionPorts extends Pick<CollectionListPorts, "suppressedCollections"> {
  collections: CollectionStore;
  links: Pick<LinkRecords, "listInIdOrder">;
  statistics: Pick<LinkStatistics, "add" | "ofCollection">;
  samples: Pick<LinkSamples, "between">;
  events: Events;
  mailer: Mailer;
  /** The recipients of mails about all collections. */
  recipients: string[];
  /** The URL of the console, without a trailing slash. */
  consoleUrl: string;
  clock: Clock;
  timeZone: string;
}

const maxDays = 31;

const params = z.strictObject({ id: z.string().describe("The id of a collection") });
const noSuchCollection = problem("No such collection");

const aCollection = { description: "The collection", body: shownCollection, headers: etagHeader };

const route = routesOver<CollectionPorts>();

const decisionBody = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .describe("The reason for other operators; shown in the history and the mail"),
});

/** Builds the route of a hold or a release; the two routes differ in one word. */
function holdRoute(action: "hold" | "release", { summary, reason }: { summary: string; reason: string }) {
  return route({
    method: "POST",
    path: `/collections/{id}/${action}`,
    summary,
    params,
    body: decisionBody,
    example: { reason },
    answers: { 200: aCollection, 404: noSuchCollection },
    handler:
      (ports) =>
      async (context, { params: { id }, body }) => {
        const decision = { by: operatorOf(context), reason: body.reason };
        await holdCollection({ collectionId: id, hold: action === "hold", decision }, ports);
        return answerWithCollection(context, id, ports);
      },
  });
}

export const collectionSubject = {
  title: "Collections",
  introduction:
    "A collection is a set of records with one link rule and one link status. [Checking links](links.md#collections) explains rules, statuses and fields.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/collections",
      summary: "Lists collections by id",
      query: collectionListQuery,
      answers: { 200: { description: "A page", body: collectionList } },
      handler:
        (ports) =>
        async (context, { query }) => {
          const { page, linkStatuses, next } = await listCollections(query, ports);
          return context.json({
            collections: page.flatMap((each) =>
              isInvalid(each) ? [] : collectionView(each, linkStatuses.get(each.collectionId)),
            ),
            unusable: page.filter(isInvalid),
            next,
          });
        },
    }),
    route({
      method: "GET",
      path: "/collections/{id}",
      summary: "Returns a collection with its rule and its status",
      params,
      answers: { 200: aCollection, 404: noSuchCollection },
      handler:
        (ports) =>
        async (context, { params: { id } }) =>
          answerWithCollection(context, id, ports),
    }),
    route({
      method: "PUT",
      path: "/collections/{id}",
      summary: "Creates or replaces a collection",
      ifMatch: true,
      details:
        "Only `title` is required; omitted fields are reset. You may send the result of `GET`: `collectionId`, `hold`, " +
        "`status` and `linkStatus` are accepted if they are unchanged. A `PUT` does not end a hold.",
      params,
      body: z.unknown(),
      bodyDocs: collectionUpdate.body,
      example: {
        title: "Papers Past",
        rule: { statusCodes: "301,4..", throttleSeconds: 3 },
        recheckDelaysHours: [1, 8, 64],
        inconclusiveLimit: 3,
        recipients: ["papers@library.example"],
      },
      answers: {
        200: { ...aCollection, description: "The collection, with `warnings` about its rule" },
      },
      handler:
        (ports) =>
        async (context, { params: { id }, body }) => {
          const stored = await ports.collections.get(id);
          const precondition = readPrecondition(context);
          // RFC 9110: a resource that does not exist meets no precondition.
          if (precondition && !(stored && precondition.isMetBy(etagOfRevision(stored.revision)))) {
            return refuseStale(context, `collection ${id}`);
          }
          const current =
            (await loadCollection(id, ports)) ?? collectionView({ collectionId: id, hold: false }, undefined);
          const wanted = parseCollectionUpdate(body, current);
          const revision = await ports.collections.save(wanted, precondition && stored);
          if (revision === undefined) return refuseStale(context, `collection ${id}`);
          context.header("ETag", etagOfRevision(revision));
          const warnings = ruleWarnings(wanted.rule).map((warning) => `rule.${warning}`);
          const saved = await loadCollection(id, ports);
          return context.json({ ...saved, ...(warnings.length > 0 && { warnings }) });
        },
    }),
    route({
      method: "DELETE",
      path: "/collections/{id}",
      summary: "Removes a collection's rule, recipients and status",
      ifMatch: true,
      details:
        "The records are kept. A collection that is suppressed, deleted or held must be restored or released first.",
      params,
      answers: {
        204: { description: "The collection was removed" },
        404: noSuchCollection,
        409: problem("The collection is suppressed, deleted or held"),
      },
      handler:
        (ports) =>
        async (context, { params: { id } }) => {
          const precondition = readPrecondition(context);
          const isMeant = (revision?: number) => precondition?.isMetBy(etagOfRevision(revision)) ?? true;
          const removal = await removeCollection(id, ports, precondition && isMeant);
          if (removal.type === "stale") return refuseStale(context, `collection ${id}`);
          if (removal.type === "unknown") return notFound(context, id);
          if (removal.type === "removed") return context.body(null, 204);
          const detail = `collection ${id} is ${removal.status}: release or restore it first, because searches would otherwise find its records again`;
          return refuse(context, 409, { detail, field: "id", value: id });
        },
    }),
    holdRoute("hold", {
      summary: "Suppresses a collection until it is released; no check ends the hold",
      reason: "The publisher moves its servers",
    }),
    holdRoute("release", { summary: "Ends a hold", reason: "The servers have moved" }),
    route({
      method: "POST",
      path: "/collections/{id}/restore",
      summary: "Makes a suppressed or deleted collection active, and clears its failures",
      details: "A hold of the collection is kept. The body may be omitted.",
      params,
      body: decisionBody.partial().prefault({}),
      isBodyOptional: true,
      example: { reason: "The publisher has repaired its links" },
      answers: { 200: aCollection, 404: noSuchCollection },
      handler:
        (ports) =>
        async (context, { params: { id }, body: { reason } }) => {
          await restoreCollection(id, { by: operatorOf(context), reason }, ports);
          return answerWithCollection(context, id, ports);
        },
    }),
    route({
      method: "GET",
      path: "/collections/{id}/statistics",
      summary:
        "Counts activated, suppressed, deleted, unjudged and refused links per day, and lists changes of the collection",
      details: `Covers at most ${maxDays} days. Days without changes are omitted. Also returns the days of collections that are not, or no longer, configured.`,
      params,
      query: z.strictObject({
        from: z.iso
          .date()
          .optional()
          .describe("The first day, in the configured time zone; today by default"),
        to: z.iso.date().optional().describe("The last day; today by default"),
      }),
      answers: {
        200: { description: "The days", body: z.strictObject({ days: z.array(dayFigures) }) },
        404: noSuchCollection,
      },
      handler:
        (ports) =>
        async (context, { params: { id }, query }) => {
          const today = dayIn(ports.timeZone, ports.clock.now());
          const { from = today, to = today } = query;
          const days = daysBetween(from, to, { most: maxDays });
          if (days === undefined) {
            throw new InputError("to", to, `must be 0 to ${maxDays - 1} days after from, ${from}`);
          }
          const changes = await Promise.all(days.map((day) => ports.statistics.ofCollection(id, day)));
          const figures = figuresOf(changes.flat());
          if (figures.length === 0 && !(await isKnown(id, ports))) return notFound(context, id);
          return context.json({ days: figures });
        },
    }),
    route({
      method: "GET",
      path: "/collections/{id}/estimate",
      summary: "Estimates the share of dead links by random samples",
      details:
        "`now` covers the last 14 days, and `before` covers the 14 days before those. See [the estimate](links.md#the-estimate).",
      params,
      query: z.strictObject({
        weeks: wholeNumber({ most: maxSeriesWeeks })
          .optional()
          .describe("Also returns a series of this number of weeks"),
      }),
      answers: { 200: { description: "The estimate", body: deadLinkEstimate }, 404: noSuchCollection },
      handler:
        (ports) =>
        async (context, { params: { id }, query: { weeks } }) => {
          const today = dayIn(ports.timeZone, ports.clock.now());
          const starts = [estimateStartDay(today), seriesStartDay(today, weeks ?? 1)];
          const from = starts.sort()[0] as string;
          const samples = await ports.samples.between(id, { from, to: today });
          if (samples.length === 0 && !(await isKnown(id, ports))) return notFound(context, id);
          const series = weeks === undefined ? {} : { series: deadLinkSeries(samples, today, weeks) };
          return context.json({ collectionId: id, ...estimateDeadLinks(samples, today), ...series });
        },
    }),
  ],
} satisfies Subject<CollectionPorts>;

async function answerWithCollection(context: Context, collectionId: string, ports: CollectionPorts) {
  const stored = await ports.collections.get(collectionId);
  const known = await loadCollection(collectionId, ports);
  if (known === undefined) return notFound(context, collectionId);
  context.header("ETag", etagOfRevision(stored?.revision));
  return context.json(known);
}

/**
 * Loads a collection.
 * @returns undefined when the collection is not configured
 */
async function loadCollection(collectionId: string, { collections }: CollectionPorts) {
  const [stored, linkStatus] = await Promise.all([
    collections.get(collectionId),
    collections.linkStatus(collectionId),
  ]);
  if (stored === undefined) return undefined;
  const shown = collectionView("collection" in stored ? stored.collection : stored.unusable, linkStatus);
  return { ...shown, ...(stored.held && { held: stored.held }) };
}

/** Returns whether the collection is configured or a record belongs to it. */
async function isKnown(collectionId: string, { collections, links }: CollectionPorts): Promise<boolean> {
  return (
    (await collections.get(collectionId)) !== undefined ||
    (await links.listInIdOrder(collectionId, { limit: 1 })).length > 0
  );
}

function collectionView<Of extends Pick<Collection, "collectionId" | "hold">>(
  of: Of,
  linkStatus: LinkStatus | undefined,
) {
  return { ...of, status: collectionStatusOf(of, linkStatus), ...(linkStatus && { linkStatus }) };
}

function notFound(context: Context, collectionId: string): Response {
  return refuseUnknown(context, "collection", collectionId);
}
