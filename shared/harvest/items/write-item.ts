import { PlatformError } from "../../core/errors.ts";
import { maxWriteTries } from "../../records/documents/drain-outbox.ts";
import type { Events } from "../../records/events/events.ts";
import type { Item, ItemKey, ItemStore } from "./item.ts";

export interface WriteItemPorts {
  items: Pick<ItemStore, "get" | "save">;
  events: Events;
}

/**
 * Writes a change based on the latest state of an item, and publishes its events.
 * @param decide returns the changed item, or undefined for no change; `writeItem` sets its revision
 */
export async function writeItem(
  key: ItemKey,
  ports: WriteItemPorts,
  decide: (known: Item | undefined) => Item | undefined,
): Promise<void> {
  for (let tries = 0; tries < maxWriteTries; tries += 1) {
    const known = await ports.items.get(key);
    const next = decide(known);
    const changed = next && { ...next, revision: (known?.revision ?? 0) + 1 };
    if (changed === undefined) {
      if (known !== undefined) await publishItem(known, ports);
      return;
    }
    if (await ports.items.save(changed)) return publishItem(changed, ports);
  }
  throw new PlatformError(`item ${key.itemId} is being written by other processes`);
}

/** Publishes the pending events of an item in order, and then stores that they are published. */
export async function publishItem(item: Item, { items, events }: WriteItemPorts): Promise<void> {
  if (item.outbox.length === 0) return;
  for (const event of item.outbox) await events.publish(event);
  const done = new Set(item.outbox.map(({ changeId }) => changeId));
  let known: Item | undefined = item;
  for (let tries = 0; tries < maxWriteTries; tries += 1) {
    if (known === undefined) return;
    const outbox = known.outbox.filter(({ changeId }) => !done.has(changeId));
    if (outbox.length === known.outbox.length) return;
    const { pendingSince, ...rest } = known;
    const isPending = outbox.length > 0 || known.missing !== undefined;
    const left = isPending && pendingSince !== undefined ? { pendingSince } : {};
    if (await items.save({ ...rest, ...left, outbox, revision: known.revision + 1 })) return;
    known = await items.get(item);
  }
  throw new PlatformError(`item ${item.itemId} is being written by other processes`);
}
