import { describe, expect, it } from "vitest";
import { type Delivery, deliverySortKey } from "../../../shared/deliver/stage-results/delivery.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of deliveries promises. */
export function deliveryCases(world: StoreTest): void {
  describe("the upload of a run", () => {
    it("the transfer of a file, saved twice → the last one counts", async () => {
      const place = { host: "receiver.example", port: 22, folder: "Default/input" };
      const sending = { location: place, temporaryPath: "Default/input/a.tmp" };
      await world.stores.deliveries.saveTransfer(world.id, sending);
      await world.stores.deliveries.saveTransfer(world.id, { ...sending, sizeBytes: 7, renameSent: true });
      expect(await world.stores.deliveries.transfer(world.id)).toEqual({
        ...sending,
        sizeBytes: 7,
        renameSent: true,
      });
    });
  });

  it("deliveries, more than a page holds → newest first, and continued after the end of a page", async () => {
    const delivery = (day: number): Delivery => {
      const runStartedAt = time(day);
      const name = {
        groupId: world.id,
        fileName: `${world.id}.xml`,
        key: `${world.id}/${day}.xml`,
        runId: `${world.id}-${day}`,
      };
      const figures = { records: 1, sizeBytes: 9, deliveredAt: runStartedAt };
      return { ...name, runStartedAt, deliveryMode: "LIVE", ...figures };
    };
    for (const day of [301, 303, 302]) await world.stores.deliveries.save(delivery(day));
    const first = await world.stores.deliveries.list({ limit: 2 });
    expect(first).toEqual([delivery(303), delivery(302)]);
    expect(await world.stores.deliveries.get(deliverySortKey(delivery(301)))).toEqual(delivery(301));
    expect(await world.stores.deliveries.get(deliverySortKey(delivery(300)))).toBeUndefined();
    const after = deliverySortKey(delivery(302));
    expect(await world.stores.deliveries.list({ limit: 1, after })).toEqual([delivery(301)]);
  });
}
