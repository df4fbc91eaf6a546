import { expect, it } from "vitest";
import type { HarvestJob } from "../../../../shared/snapshots/definitions/job.ts";
import { captureRequest } from "../../../../shared/snapshots/jobs/capture-requests.ts";

it.each([
  [{ maxBytes: 1000, maxObjectBytes: 400 }, 0, 400],
  [{ maxBytes: 1000, maxObjectBytes: 400 }, 900, 100],
  [{ maxBytes: 1000, maxObjectBytes: 400 }, 1200, 1],
])("limits %j, %i bytes captured → a body of %i bytes at most", (limits, bytes, maxBytes) => {
  const job: HarvestJob = {
    id: 1,
    definitionId: "d",
    state: "started",
    seeds: [],
    createdAt: new Date(0),
    hasCrawlLog: false,
    objects: 0,
    bytes,
    files: [],
  };
  const all = { ...limits, maxObjects: 10, maxDepth: 1, maxMinutes: 5 };
  const { bodyPolicy } = captureRequest({ url: "http://a.example/", hops: "" }, job, { limits: all });
  expect(bodyPolicy).toEqual({ type: "capture", maxBytes });
});
