import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { dayIn, daysBetween } from "../core/day.ts";
import { InputError } from "../core/errors.ts";
import type { Events } from "../events/events.ts";
import { figuresOf, type LinkStatistics } from "../links/report/statistics.ts";
import { ruleWarnings } from "../links/rule/rule.ts";
import { type Collection, collectionStatusOf } from "../links/status/collection.ts";
import type { CollectionStore } from "../links/status/collection-store.ts";
import { holdCollection } from "../links/status/hold.ts";
import type { LinkRecords } from "../links/status/link-records.ts";
import type { LinkStatus } from "../links/status/link-status.ts";
import { removeCollection } from "../links/status/remove.ts";
import { restoreCollection } from "../links/status/restore.ts";
import { estimateDeadLinks, estimateStartDay } from "../links/sweep/estimate.ts";
import type { LinkSamples } from "../links/sweep/link-samples.ts";
import type { Mailer } from "../mail/mailer.ts";
import { parseCollectionUpdate } from "./collection-update.ts";
import { jsonBody, parseQuery, refuseQuery } from "./parse-request.ts";

export interface CollectionPorts {
  collections: CollectionStore;
  links: Pick<LinkRecords, "listInIdOrder">;
  statistics: Pick<LinkStatistics, "ofCollection">;
  samples: Pick<LinkSamples, "between">;
  events: Events;
  mailer: Mailer;
  /** Who is told of all collections. */
  recipients: string[];
  clock: Clock;
  timeZone: string;
}

const maxDays = 31;

/** Collections: their rules, where they stand, and what became of their links, for operators. */
export function collectionRoutes(ports: CollectionPorts): Hono {
  const app = new Hono();
  const { collections } = ports;
  /** Whether somebody has configured it, or a record belongs to it. */
  const isKnown = async (collectionId: string) =>
    (await collections.get(collectionId)) !== undefined ||
    (await ports.links.listInIdOrder(collectionId, { limit: 1 })).length > 0;
  /** As it stands; undefined when nobody has configured it. */
  const loadView = async (collectionId: string) => {
    const [stored, linkStatus] = await Promise.all([
      collections.get(collectionId),
      collections.linkStatus(collectionId),
    ]);
    if (stored === undefined) return undefined;
    return collectionView("collection" in stored ? stored.collection : stored.unusable, linkStatus);
  };
  const answer = async (context: Context, collectionId: string) => {
    const known = await loadView(collectionId);
    return known === undefined ? notFound(context, collectionId) : context.json(known);
  };

  app.get("/collections", refuseQuery, async (context) => {
    const [{ collections: all, unusable }, linkStatuses] = await Promise.all([
      collections.all(),
      collections.linkStatuses(),
    ]);
    return context.json({
      collections: all.map((each) => collectionView(each, linkStatuses.get(each.collectionId))),
      unusable,
    });
  });

  app.get("/collections/:id", refuseQuery, (context) => answer(context, context.req.param("id")));

  /** Creates or changes one; what may not be meant is answered as `warnings`. */
  app.put("/collections/:id", refuseQuery, async (context) => {
    const collectionId = context.req.param("id");
    const current =
      (await loadView(collectionId)) ?? collectionView({ collectionId, hold: false }, undefined);
    const wanted = parseCollectionUpdate(await jsonBody(context), current);
    await collections.save(wanted);
    const warnings = ruleWarnings(wanted.rule).map((warning) => `rule.${warning}`);
    return context.json({ ...(await loadView(collectionId)), ...(warnings.length > 0 && { warnings }) });
  });

  /** Its records stay. One whose records are left out of searches has to be released or restored before. */
  app.delete("/collections/:id", refuseQuery, async (context) => {
    const collectionId = context.req.param("id");
    const removal = await removeCollection(collectionId, ports);
    if (removal.type === "unknown") return notFound(context, collectionId);
    if (removal.type === "removed") return context.body(null, 204);
    const error = `collection ${collectionId} is ${removal.status}: without it, its records would be found again. Release or restore it first`;
    return context.json({ error }, 409);
  });

  for (const [action, hold] of [
    ["hold", true],
    ["release", false],
  ] as const) {
    app.post(`/collections/:id/${action}`, refuseQuery, async (context) => {
      const collectionId = context.req.param("id");
      await holdCollection({ collectionId, hold }, ports);
      return answer(context, collectionId);
    });
  }

  app.post("/collections/:id/restore", refuseQuery, async (context) => {
    const collectionId = context.req.param("id");
    await restoreCollection(collectionId, ports);
    return answer(context, collectionId);
  });

  /**
   * The figures of the days from `from` to `to`; days on which nothing happened are left out. Also of a collection that
   * nobody has configured (any more), as long as there are records or figures of it.
   */
  app.get("/collections/:id/statistics", async (context) => {
    const collectionId = context.req.param("id");
    const today = dayIn(ports.timeZone, ports.clock.now());
    const { from, to } = parseQuery(
      context,
      z.strictObject({ from: z.iso.date().default(today), to: z.iso.date().default(today) }),
    );
    const days = daysBetween(from, to, { most: maxDays });
    if (days === undefined) {
      throw new InputError("to", to, `must be 0 to ${maxDays - 1} days after from, ${from}`);
    }
    const changes = await Promise.all(days.map((day) => ports.statistics.ofCollection(collectionId, day)));
    const figures = figuresOf(changes.flat());
    if (figures.length === 0 && !(await isKnown(collectionId))) return notFound(context, collectionId);
    return context.json({ days: figures });
  });

  /** How many of its links are dead, by the random samples of the last weeks; of whatever collection figures are told. */
  app.get("/collections/:id/estimate", refuseQuery, async (context) => {
    const collectionId = context.req.param("id");
    const today = dayIn(ports.timeZone, ports.clock.now());
    const samples = await ports.samples.between(collectionId, { from: estimateStartDay(today), to: today });
    if (samples.length === 0 && !(await isKnown(collectionId))) return notFound(context, collectionId);
    return context.json({ collectionId, ...estimateDeadLinks(samples, today) });
  });

  return app;
}

function collectionView<Of extends Pick<Collection, "collectionId" | "hold">>(
  of: Of,
  linkStatus: LinkStatus | undefined,
) {
  return { ...of, status: collectionStatusOf(of, linkStatus), ...(linkStatus && { linkStatus }) };
}

function notFound(context: Context, collectionId: string) {
  return context.json({ error: `there is no collection ${collectionId}` }, 404);
}
