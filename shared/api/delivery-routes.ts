import { Hono } from "hono";
import { z } from "zod";
import { deliverySortKey, deliverySortKeyPattern } from "../delivery/plan/delivery.ts";
import type { DeliveryStore } from "../delivery/upload/delivery-store.ts";
import { parseQuery, wholeNumber } from "./parse-request.ts";

export interface DeliveryPorts {
  deliveries: Pick<DeliveryStore, "list">;
}

const listQuery = z.strictObject({
  limit: wholeNumber({ most: 500 }).default(50),
  /** The `next` of the page before. */
  after: z.string().regex(deliverySortKeyPattern, "must be the `next` of a page of deliveries").optional(),
});

export function deliveryRoutes({ deliveries }: DeliveryPorts): Hono {
  const app = new Hono();

  /** The delivered files, newest first; `next` is where the following page begins. */
  app.get("/deliveries", async (context) => {
    const { limit, after } = parseQuery(context, listQuery);
    const found = await deliveries.list({ limit: limit + 1, after });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const isMore = found.length > limit && last !== undefined;
    return context.json({ deliveries: page, ...(isMore && { next: deliverySortKey(last) }) });
  });

  return app;
}
