import { Hono } from "hono";
import { etag } from "hono/etag";
import { z } from "zod";
import { cacheFor } from "../core/cache-for.ts";
import { InputError } from "../core/errors.ts";
import type { RecordStore, StoredRecord } from "../documents/stored-record.ts";
import { type RequestCheckPorts, requestCheck } from "../links/check/request-check.ts";
import { collectionStatusOf } from "../links/status/collection.ts";
import type { CollectionStore } from "../links/status/collection-store.ts";
import type { LinkRecords } from "../links/status/link-records.ts";
import { formatCursor, parseCursor } from "../links/status/record-cursor.ts";
import { writeMarcXml } from "../marc/marcxml-writer.ts";
import { parseQuery, refuseQuery, wholeNumber } from "./parse-request.ts";
import { parseRecordId } from "./record-id.ts";

export interface PublicPorts extends Omit<RequestCheckPorts, "records" | "collections"> {
  records: Pick<RecordStore, "get" | "loadMarc">;
  links: Pick<LinkRecords, "get" | "list" | "claimCheck" | "releaseCheck">;
  collections: Pick<CollectionStore, "get" | "status" | "all" | "linkStatuses">;
  /** Does what the answer does not depend on; says what failed if it does. */
  bestEffort(what: string, work: () => Promise<unknown>): Promise<void>;
}

const listQuery = z.strictObject({
  collection: z.string().min(1).max(128),
  limit: wholeNumber({ most: 200 }).default(50),
  next: z.string().max(2000).optional(),
});

/**
 * All collections are read for it, so not for everybody who asks: it is kept so long by us, and so long again by others. A
 * sweep comes every two hours.
 */
const hiddenMaxAgeMs = 30_000;

/** What anybody may ask. */
export function publicRoutes(ports: PublicPorts): Hono {
  const app = new Hono();
  const { records, links, collections } = ports;
  const hidden = cacheFor(hiddenMaxAgeMs, () => hiddenCollections(collections), ports.clock);

  /** The active records of a collection, newest first; of one that is suppressed or deleted, none. */
  app.get("/records", async (context) => {
    const { collection, limit, next } = parseQuery(context, listQuery);
    const after = next === undefined ? undefined : parseCursor(collection, next);
    if (next !== undefined && after === undefined) {
      throw new InputError("next", next, `is not where the list of ${collection} goes on`);
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
  });

  /** The collections that searches leave out, for those who search elsewhere. */
  app.get("/suppressed-collections", refuseQuery, etag(), async (context) => {
    context.header("cache-control", `public, max-age=${hiddenMaxAgeMs / 1000}`);
    return context.json({ collections: await hidden() });
  });

  /** A record, whatever its state: as JSON, or as MARCXML where that is asked for. */
  app.get("/records/:id", async (context) => {
    const id = parseRecordId(context.req.param("id"));
    const [record, linked] = await Promise.all([records.get(id), links.get(id)]);
    if (record === undefined || linked === undefined) {
      return context.json({ error: `there is no record ${id}` }, 404);
    }
    const marc = await records.loadMarc(record.recordKey);
    if (/\bapplication\/(marcxml\+)?xml\b/.test(context.req.header("accept") ?? "")) {
      return context.body(new TextDecoder().decode(writeMarcXml([marc])), 200, {
        "content-type": "application/marcxml+xml; charset=utf-8",
      });
    }
    const link = {
      status: linked.link?.status ?? "active",
      collectionStatus: await collections.status(linked.collectionId),
    };
    return context.json({ ...publicRecordView(record), link, marc });
  });

  /** The page that a record points to, at once; whether it still works is looked at meanwhile. */
  app.get("/records/:id/source", async (context) => {
    const id = parseRecordId(context.req.param("id"));
    const record = await links.get(id);
    if (record === undefined) return context.json({ error: `there is no record ${id}` }, 404);
    const landing = URL.parse(record.landingUrl);
    if (landing === null || !/^https?:$/.test(landing.protocol)) {
      return context.json({ error: `record ${id} has no landing URL` }, 404);
    }
    await ports.bestEffort(`the check of record ${id} could not be asked for`, () =>
      requestCheck(record, { ...ports, records: links }),
    );
    // Not `context.redirect`, which escapes anew what is escaped already when it finds something that is not.
    return context.body(null, 302, { location: landing.href });
  });

  return app;
}

/** Those that checks or operators have suppressed or deleted. */
async function hiddenCollections(collections: Pick<CollectionStore, "all" | "linkStatuses">) {
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

/** What anybody may know of a record. */
function publicRecordView(record: StoredRecord) {
  const { recordId, sourceId, collectionId, title, landingUrl, syndicatedAt, hash, state, updatedAt } =
    record;
  return { recordId, sourceId, collectionId, title, landingUrl, syndicatedAt, hash, state, updatedAt };
}
