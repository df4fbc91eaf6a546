import { beforeEach, describe, expect, it } from "vitest";
import { deliverySubject } from "../../../../shared/deliver/routes/delivery-routes.ts";
import type { Delivery } from "../../../../shared/deliver/stage-results/delivery.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";

let memory: MemoryPorts;
const fileUrls = {
  downloadDelivery: async ({ key }: { key: string }) => `https://deliveries.example/${key}`,
};

async function request(path: string) {
  const app = serve([deliverySubject], { deliveries: memory.deliveries, runs: memory.runs, fileUrls });
  const answer = await app.request(path);
  const text = await answer.text();
  const body = text === "" ? undefined : JSON.parse(text);
  return { status: answer.status, location: answer.headers.get("location"), body };
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
    const deliveries = newestFirst.map((each) => ({ deliveryId: expect.any(String), ...each }));
    expect((await request("/deliveries")).body).toEqual({ deliveries });
  });

  it("pages that part the files of a run → each file once, and no page after the last", async () => {
    const first = (await request("/deliveries?limit=3")).body;
    expect(first.deliveries).toMatchObject([
      delivered("20", "b"),
      delivered("20", "a"),
      delivered("19", "b"),
    ]);
    const rest = (await request(`/deliveries?limit=3&after=${encodeURIComponent(first.next)}`)).body;
    expect(rest.deliveries).toMatchObject([delivered("19", "a")]);
    expect(rest.next).toBeUndefined();
  });

  it("the file of each → a URL where it is fetched", async () => {
    const { deliveries } = (await request("/deliveries")).body;
    for (const { deliveryId, key } of deliveries) {
      expect(await request(`/deliveries/${deliveryId}/file`)).toMatchObject({
        status: 302,
        location: `https://deliveries.example/${key}`,
      });
    }
  });

  it.each(["nobody", "MjAyNi0xMS0yMFQxOTowMDowMC4wMDBaI2EvYi54bWw", "%20"])(
    "the file of %s, which is not a delivery → 404",
    async (id) => {
      const { status, body } = await request(`/deliveries/${id}/file`);
      expect([status, body.field]).toEqual([404, "id"]);
    },
  );

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

describe("GET /deliveries/waiting", () => {
  const failure = {
    stage: "upload",
    reason: "group b: sftp://files.example: refused",
    at: "2026-11-21T19:05:00.000Z",
  };
  const planned = (fileName: string, kind: "valid" | "delinquent" = "valid") => ({
    kind,
    groupId: fileName.slice(0, 1),
    fileName,
    documents: { count: 3, parts: [] },
  });
  beforeEach(async () => {
    memory = new MemoryPorts();
    for (const day of ["20", "21"]) {
      const runId = `live-${day}`;
      const at = `2026-11-${day}T19:00:00.000Z`;
      await memory.runs.create({
        ...{ runId, deliveryMode: "LIVE", startedAt: at, deadlineAt: at },
        ...(day === "21" ? { state: "failed", failure } : { state: "delivering" }),
      });
      const files = [planned(`a-${day}.xml`), planned(`b-${day}.xml`), planned(`c-${day}.xml`, "delinquent")];
      await memory.runs.finishStage(runId, "plan", { files, duplicates: { count: 0, parts: [] } });
      await memory.runs.finishStage(runId, `file-a-${day}.xml`, { ...files[0], deliveredAt: at });
    }
  });

  it("→ the files that their receivers lack, the earliest first, with the reason of a run that stopped", async () => {
    const file = (day: string) => ({
      ...{ fileName: `b-${day}.xml`, groupId: "b", records: 3, runId: `live-${day}`, deliveryMode: "LIVE" },
      runStartedAt: `2026-11-${day}T19:00:00.000Z`,
    });
    expect((await request("/deliveries/waiting")).body).toEqual({
      files: [file("20"), { ...file("21"), failure }],
    });
    const { body } = await request("/deliveries/waiting?limit=1");
    expect([body.files.length, body.next]).toEqual([1, "1"]);
  });

  it("a run whose upload has ended → none", async () => {
    for (const runId of ["live-20", "live-21"])
      await memory.runs.finishStage(runId, "upload", { files: [], duplicates: { count: 0, parts: [] } });
    expect((await request("/deliveries/waiting")).body).toEqual({ files: [] });
  });
});
