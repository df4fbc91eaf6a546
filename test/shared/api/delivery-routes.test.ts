import { beforeEach, describe, expect, it } from "vitest";
import { deliverySubject } from "../../../shared/api/delivery-routes.ts";
import type { Delivery } from "../../../shared/delivery/plan/delivery.ts";
import { MemoryPorts } from "../memory-ports.ts";
import { serve } from "./serve.ts";

let memory: MemoryPorts;

async function request(path: string) {
  const app = serve([deliverySubject], memory);
  const answer = await app.request(path);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const delivered = (day: string, groupId: string): Delivery => {
  const runStartedAt = `2026-11-${day}T19:00:00.000Z`;
  const fileName = `${groupId}_zotero_2611${day}_001.xml`;
  const key = `${groupId}/${fileName}`;
  const figures = { records: 1, sizeBytes: 900, deliveredAt: runStartedAt };
  return { groupId, fileName, key, runId: `live-${day}`, runStartedAt, deliveryMode: "LIVE", ...figures };
};

describe("GET /deliveries", () => {
  beforeEach(async () => {
    memory = new MemoryPorts();
    for (const groupId of ["a", "b"])
      for (const day of ["19", "20"]) await memory.deliveries.save(delivered(day, groupId));
  });

  it("without parameters → all, newest first, and no next page", async () => {
    const newestFirst = [
      delivered("20", "b"),
      delivered("20", "a"),
      delivered("19", "b"),
      delivered("19", "a"),
    ];
    expect((await request("/deliveries")).body).toEqual({ deliveries: newestFirst });
  });

  it("pages that part the files of a run → each file once, and no page after the last", async () => {
    const first = (await request("/deliveries?limit=3")).body;
    expect(first.deliveries).toEqual([delivered("20", "b"), delivered("20", "a"), delivered("19", "b")]);
    const rest = (await request(`/deliveries?limit=3&after=${encodeURIComponent(first.next)}`)).body;
    expect(rest).toEqual({ deliveries: [delivered("19", "a")] });
  });

  it.each([
    ["/deliveries?limit=0", /^limit: .*"0"/],
    ["/deliveries?limit=501", /^limit: .*"501"/],
    ["/deliveries?after=yesterday", /^after: must be the `next` of a page of deliveries.*"yesterday"/],
    [`/deliveries?after=2026-11-20T19:00:00.000Z%23${"x".repeat(1000)}`, /^after: must be the `next`/],
    ["/deliveries?page=2", /page/],
  ])("%s → 400 with the field and its value", async (path, error) => {
    const { status, body } = await request(path);
    expect(status).toBe(400);
    expect(body.detail).toMatch(error);
  });
});
