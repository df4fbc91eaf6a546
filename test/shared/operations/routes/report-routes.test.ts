import { expect, it } from "vitest";
import type { CollectionChange, LinkChange } from "../../../../shared/links/status/statistics.ts";
import { reportSubject } from "../../../../shared/operations/routes/report-routes.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const portsWith = (changes: (LinkChange | CollectionChange)[]) =>
  Object.assign(new MemoryPorts(), {
    statistics: { ofDay: async (day: string) => changes.filter((each) => each.day === day) },
    timeZone: "Europe/Berlin",
  });

it.each([
  { path: "/reports/overdue", status: 200, says: '{"overdue":[]}' },
  { path: "/reports/overdue?source=a", status: 400, says: expect.stringContaining("source") },
])("$path → $status", async ({ path, status, says }) => {
  const app = serve([reportSubject], portsWith([]));
  const answer = await app.request(path);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toEqual(says);
});

it("the report on links of a day → what has changed, by collection; of another day, nothing", async () => {
  const change = {
    day: "2026-11-20",
    collectionId: "papers",
    change: "suppressed" as const,
    recordId: "r",
    url: "https://a.example/",
  };
  const itself = {
    day: change.day,
    collectionId: "papers",
    change: "collection" as const,
    to: "suppressed" as const,
    at: "2026-11-20T12:00:00.000Z",
    reason: "4 of 4 links are broken",
  };
  const app = serve([reportSubject], portsWith([change, itself]));
  const answer = await app.request("/reports/links?day=2026-11-20");
  expect(await answer.json()).toMatchObject({
    day: "2026-11-20",
    collections: [
      {
        collectionId: "papers",
        suppressed: { count: 1, samples: [{ recordId: "r" }] },
        collection: [{ to: "suppressed" }],
      },
    ],
  });
  expect(await (await app.request("/reports/links?day=2026-11-21")).json()).toEqual({
    day: "2026-11-21",
    collections: [],
  });
  expect((await app.request("/reports/links?day=yesterday")).status).toBe(400);
});
