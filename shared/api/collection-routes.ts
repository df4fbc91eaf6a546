import { type Context, Hono } from "hono";
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { dayIn, daysBetween } from "../core/day.ts";
import { InputError } from "../core/errors.ts";
import { type Collection, collection, readCollection, statusOf } from "../links/fate/collection.ts";
import type { Fate } from "../links/fate/fate.ts";
import { holdCollection } from "../links/fate/hold.ts";
import { removeCollection } from "../links/fate/remove.ts";
import { restoreCollection } from "../links/fate/restore.ts";
import { figuresOf } from "../links/report/statistics.ts";
import { estimateFrom, estimateOf } from "../links/sweep/estimate.ts";
import type { CollectionStore, Events, LinkSamples, LinkStatistics, Mailer } from "../ports.ts";
import { parsedBody, parsedQuery, withoutQuery } from "./parse.ts";

export interface CollectionPorts {
  collections: CollectionStore;
  statistics: Pick<LinkStatistics, "ofCollection">;
  samples: Pick<LinkSamples, "between">;
  events: Events;
  mailer: Mailer;
  /** Who is told of all collections. */
  recipients: string[];
  clock: Clock;
  timeZone: string;
}

const mostDays = 31;

/** Holds are set by routes of their own, so that nobody ends one by the way. */
const changeable = collection.omit({ collectionId: true, hold: true });

/** Collections: their rules, where they stand, and what became of their links, for operators. */
export function collectionRoutes(ports: CollectionPorts): Hono {
  const app = new Hono();
  const { collections } = ports;
  const isKnown = async (collectionId: string) => (await collections.get(collectionId)) !== undefined;
  const answer = async (context: Context, collectionId: string) => {
    const known = await collections.get(collectionId);
    if (known === undefined) return unknown(context, collectionId);
    const fate = await collections.fate(collectionId);
    if ("collection" in known) return context.json(shown(known.collection, fate));
    return context.json({ ...known.unusable, status: statusOf(known.unusable, fate), ...(fate && { fate }) });
  };

  app.get("/collections", withoutQuery, async (context) => {
    const [{ collections: all, unusable }, fates] = await Promise.all([
      collections.all(),
      collections.fates(),
    ]);
    return context.json({
      collections: all.map((each) => shown(each, fates.get(each.collectionId))),
      unusable,
    });
  });

  app.get("/collections/:id", withoutQuery, (context) => answer(context, context.req.param("id")));

  /** Creates or changes one. */
  app.put("/collections/:id", withoutQuery, async (context) => {
    const collectionId = context.req.param("id");
    const fields = await parsedBody(context, changeable);
    const { hold: _kept, ...wanted } = readCollection({ ...fields, collectionId });
    await collections.save(wanted);
    return answer(context, collectionId);
  });

  /** Its records stay. One whose records are left out of searches has to be released or restored before. */
  app.delete("/collections/:id", withoutQuery, async (context) => {
    const collectionId = context.req.param("id");
    const removal = await removeCollection(collectionId, ports);
    if (removal.type === "unknown") return unknown(context, collectionId);
    if (removal.type === "removed") return context.body(null, 204);
    const error = `collection ${collectionId} is ${removal.status}: without it, its records would be found again. Release or restore it first`;
    return context.json({ error }, 409);
  });

  for (const [action, hold] of [
    ["hold", true],
    ["release", false],
  ] as const) {
    app.post(`/collections/:id/${action}`, withoutQuery, async (context) => {
      const collectionId = context.req.param("id");
      await holdCollection({ collectionId, hold }, ports);
      return answer(context, collectionId);
    });
  }

  app.post("/collections/:id/restore", withoutQuery, async (context) => {
    const collectionId = context.req.param("id");
    await restoreCollection(collectionId, ports);
    return answer(context, collectionId);
  });

  /**
   * The figures of the days from `from` to `to`; days on which nothing happened are left out. Also of a collection that
   * nobody has configured, where there are any.
   */
  app.get("/collections/:id/statistics", async (context) => {
    const collectionId = context.req.param("id");
    const today = dayIn(ports.timeZone, ports.clock.now());
    const { from, to } = parsedQuery(
      context,
      z.strictObject({ from: z.iso.date().default(today), to: z.iso.date().default(today) }),
    );
    const days = daysBetween(from, to, { most: mostDays });
    if (days === undefined) {
      throw new InputError("to", to, `must be 0 to ${mostDays - 1} days after from, ${from}`);
    }
    const changes = await Promise.all(days.map((day) => ports.statistics.ofCollection(collectionId, day)));
    const figures = figuresOf(changes.flat());
    if (figures.length === 0 && !(await isKnown(collectionId))) return unknown(context, collectionId);
    return context.json({ days: figures });
  });

  /** How many of its links are dead, by the random samples of the last weeks. */
  app.get("/collections/:id/estimate", withoutQuery, async (context) => {
    const collectionId = context.req.param("id");
    const today = dayIn(ports.timeZone, ports.clock.now());
    const samples = await ports.samples.between(collectionId, { from: estimateFrom(today), to: today });
    if (samples.length === 0 && !(await isKnown(collectionId))) return unknown(context, collectionId);
    return context.json({ collectionId, ...estimateOf(samples, today) });
  });

  return app;
}

function shown(of: Collection, fate: Fate | undefined) {
  return { ...of, status: statusOf(of, fate), ...(fate && { fate }) };
}

function unknown(context: Context, collectionId: string) {
  return context.json({ error: `there is no collection ${collectionId}` }, 404);
}
