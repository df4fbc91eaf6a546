import { describe, expect, it } from "vitest";
import { readCrawledPageResponse } from "../../../../shared/harvest/crawl/read-crawled-page-response.ts";
import { readMail } from "../../../../shared/harvest/email/read-mail.ts";
import { readFeedResponse } from "../../../../shared/harvest/rss/read-feed-response.ts";
import type { RunState } from "../../../../shared/records/runs/run.ts";
import { sourcesTallyName, sourceTallyName } from "../../../../shared/records/runs/tally-names.ts";
import { inboundResponse } from "../../../../shared/web/request/response.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const at = { runId: "run", sourceId: "gone" };
const url = "https://j.example/";
const answer = (kind: "feed" | "page", context: object) =>
  inboundResponse.parse({
    request: { id: "list", kind, url, context: { ...at, ...context } },
    outcome: { type: "answered", url, status: 200, headers: {}, hops: [], elapsedMs: 1 },
  });

/** A run with one list of one source that nobody knows any more; `ended` are the runs that are over by it. */
async function runOf(state: RunState) {
  const memory = new MemoryPorts();
  const ended: string[] = [];
  const nowIso = memory.now.toISOString();
  await memory.runs.create({ ...at, deliveryMode: "LIVE", state, startedAt: nowIso, deadlineAt: nowIso });
  await memory.runs.updateTally("run", sourcesTallyName, { opened: ["gone"] });
  await memory.runs.updateTally("run", sourceTallyName("gone"), { opened: ["list"] });
  const { sources, runs, archive } = memory;
  const ports = {
    sources,
    runs,
    archive,
    bodies: { load: async () => new Uint8Array(), keep: async (key: string) => key },
    clock: { now: () => memory.now, sleep: async () => {} },
    requests: { send: async () => {} },
    delivery: { send: async ({ runId }: { runId: string }) => void ended.push(runId) },
    received: {
      unread: async () => [],
      message: async () => new Uint8Array(),
      markRead: async () => {},
      readSince: async () => [],
    },
  };
  return { ports, ended };
}

type Ports = Awaited<ReturnType<typeof runOf>>["ports"];
const readers: [string, (ports: Ports) => Promise<void>][] = [
  ["a feed", (ports) => readFeedResponse(answer("feed", {}), ports)],
  ["a crawled page", (ports) => readCrawledPageResponse(answer("page", { role: "page", depth: 0 }), ports)],
  ["mails", (ports) => readMail({ ...at, id: "list" }, ports)],
];

describe.each(readers)("%s of a source that was removed meanwhile", (_list, read) => {
  it("→ fails with that reason, also when it is read twice, and holds up no run", async () => {
    const { ports, ended } = await runOf("harvesting");
    await read(ports);
    await read(ports);
    const reason = "source gone is no longer configured";
    expect(await ports.runs.sourceOutcomes("run")).toMatchObject([{ state: "failed", reason }]);
    expect(ended).toContain("run");
  });

  it("in a run that is being delivered → is not looked at", async () => {
    const { ports, ended } = await runOf("delivering");
    await read(ports);
    expect(await ports.runs.sourceOutcomes("run")).toEqual([]);
    expect(ended).toEqual([]);
  });
});
