import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { StoreTest } from "./world.ts";

/** What the store of requests with an `Idempotency-Key` promises. */
export function keyedRequestCases(world: StoreTest): void {
  describe("requests with a key", () => {
    const [started, later] = ["2026-11-20T10:00:00.000Z", "2026-11-20T10:05:00.000Z"];
    const request = (startedAt = started) => ({ key: world.id, fingerprint: "f", startedAt });
    const answer = { status: 202, headers: { location: "/a" }, body: "é".repeat(300_000) };

    it("begun once; its answer is kept, however long; a stale one is begun again", async () => {
      const { keyedRequests } = world.stores;
      expect(await keyedRequests.begin(request(), started)).toBeUndefined();
      expect(await keyedRequests.begin(request(later), started)).toMatchObject(request());
      expect(await keyedRequests.begin(request(later), later)).toBeUndefined();
      // The first one was slow, and is no more the stored one.
      await keyedRequests.finish(request(), answer);
      await keyedRequests.forget(request());
      expect((await keyedRequests.begin(request(), started))?.answer).toBeUndefined();
      await keyedRequests.finish(request(later), answer);
      expect((await keyedRequests.begin(request(), "2027"))?.answer).toEqual(answer);
    });

    it("an answer that no item holds → stored, or begun again", async () => {
      const { keyedRequests } = world.stores;
      await keyedRequests.begin(request(), started);
      const body = randomBytes(400_000).toString("base64");
      await keyedRequests.finish(request(), { ...answer, body });
      const again = await keyedRequests.begin(request(), started);
      expect([undefined, body]).toContain(again?.answer?.body);
      expect(again === undefined || again.answer !== undefined).toBe(true);
    });

    it("forgotten → begun again", async () => {
      const { keyedRequests } = world.stores;
      await keyedRequests.begin(request(), started);
      await keyedRequests.forget(request());
      expect(await keyedRequests.begin(request(), started)).toBeUndefined();
    });
  });
}
