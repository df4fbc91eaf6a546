import { beforeAll, describe, expect, it } from "vitest";
import { budgets } from "../../shared/core/budgets.ts";
import { tableNames } from "../../shared/names.ts";
import { sourcesTallyName, sourceTallyName } from "../../shared/records/runs/tally-names.ts";
import { outboundRequest } from "../../shared/web/request/request.ts";
import type { InboundResponse } from "../../shared/web/request/response.ts";
import { sharedCloud } from "./local-cloud.ts";

beforeAll(async () => {
  await sharedCloud();
});

/** An item takes 400 KB; the local DynamoDB refuses larger ones. */
const maxItemBytes = 400_000;
const many = Array.from({ length: 10_000 }, (_, index) => index);
const text = (index: number, chars = 2_000) => `${index} ${"x".repeat(chars)}`;
const at = "2026-11-20T19:00:00.000Z";

type Drive = (id: string) => Promise<void>;

/** The kinds of items with lists, sets or maps that grow: what brings 10,000 entries into one. */
const growing: Record<string, Drive> = {
  "the tally of sources, whose ids have 128 characters": async (id) => {
    const runs = await runStore();
    const ids = many.map((index) => `${index}`.padStart(128, "s"));
    await inHundreds(ids, (opened) => runs.updateTally(id, sourcesTallyName, { opened }));
    await inHundreds(ids, (closed) => runs.updateTally(id, sourcesTallyName, { closed }));
  },
  "the tally of a source": async (id) => {
    const runs = await runStore();
    const ids = many.map((index) => `${index}`.padStart(16, "r"));
    await inHundreds(ids, (opened) => runs.updateTally(id, sourceTallyName("s"), { opened }));
    await inHundreds(ids, (closed) => runs.updateTally(id, sourceTallyName("s"), { closed }));
  },
  "the dropped entries of a listing": async (id) => {
    const dropped = many.map((index) => ({ entry: text(index), reason: text(index) }));
    const outcome = { sourceId: "s", title: text(0, 450_000), state: "read" as const, entries: 0, known: {} };
    const runs = await runStore();
    await runs.saveListingOutcome(id, "a", { ...outcome, requested: 0, dropped, reason: text(0, 450_000) });
  },
  "the outcome of an article": async (id) => {
    const at = { sourceId: "s", requestId: id, url: "https://s.example/", title: text(0, 450_000) };
    await (await runStore()).saveOutcome(id, { ...at, state: "dropped", reason: text(0, 450_000) });
  },
  "a failed run": async (id) => {
    const { failRun } = await import("../../shared/deliver/pipeline/fail-run.ts");
    const runs = await runStore();
    await runs.create({
      runId: id,
      deliveryMode: "LIVE",
      state: "delivering",
      startedAt: at,
      deadlineAt: at,
    });
    const clock = { now: () => new Date(), sleep: async () => {} };
    const reports = { send: async () => {} };
    await failRun({ runId: id, stage: "upload", reason: text(0, 450_000) }, { runs, reports, clock });
    expect((await runs.get(id))?.state).toBe("failed");
  },
  "the articles that wait for one name": async (id) => {
    const { waitingArticles } = await import("../../shared/harvest/stores/waiting-articles.ts");
    const store = waitingArticles();
    await inHundreds(many, (some) =>
      Promise.all(some.map((index) => store.add(id, responseTo(`${index}`.padStart(16, "a")), ["name"]))),
    );
  },
  "the recent runs of a source": async (id) => {
    const { sourceStatusStore } = await import("../../shared/adapters/records/source-status-store.ts");
    const { withRecentRun } = await import("../../shared/records/sources/source-status.ts");
    const runs = many.map((index) => ({
      runId: `${index}`,
      startedAt: at,
      state: "read" as const,
      delivered: 1,
    }));
    expect(runs.reduce(withRecentRun, [] as typeof runs).length).toBeLessThan(100);
    for (const run of runs.slice(0, 50)) await sourceStatusStore().addRun(id, run);
  },
  "the holds of a collection whose mails fail": async (id) => {
    const { collectionStore } = await import("../../shared/links/stores/collection-store.ts");
    const { readCollection } = await import("../../shared/links/status/collection.ts");
    const store = collectionStore();
    const collectionId = id.toLowerCase();
    await store.save(readCollection({ collectionId, title: "T" }));
    const change = { status: "suppressed" as const, since: at, checkId: "c", reason: text(0) };
    for (let time = 0; time < 3 * budgets.pendingHoldChanges; time += 1) {
      const held = time % 2 === 0 ? { since: at, by: "o", reason: text(0) } : undefined;
      const pending = await store.setHold(collectionId, held, change);
      expect(pending.length).toBeLessThanOrEqual(budgets.pendingHoldChanges);
    }
  },
  "a document with files, sets and versions": async (id) => {
    const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
    const { keepDocuments } = await import("../../shared/records/documents/keep-documents.ts");
    // The event bus takes nothing.
    const publish = () => Promise.reject(new Error("down"));
    const ports = { documents: documentStore(), events: { publish }, requestFiles: async () => {} };
    const fileUrls = many
      .slice(0, budgets.files)
      .map((index) => `https://s.example/${text(index, 280).replace(" ", "")}`);
    for (let version = 0; version < 30; version += 1) {
      const content = { raw: `${version}`, mediaType: "text/plain", format: "other", metadata: {} };
      const document = {
        identifier: ["d"] as const,
        content,
        sets: many.map((index) => text(index, 400)),
        fileUrls,
      };
      const listedAt = new Date(Date.parse(at) + version * 1000).toISOString();
      const page = { sourceId: id, listedAt, documents: [{ ...document, title: text(0, 450_000) }] };
      await expect(keepDocuments(page, ports)).rejects.toThrow("down");
    }
  },
};

function responseTo(id: string): InboundResponse {
  return {
    request: outboundRequest.parse({ id, kind: "article", url: "https://j.example/a" }),
    outcome: { type: "refused", reason: "robots", detail: "", hops: [] },
  };
}

async function runStore() {
  return (await import("../../shared/adapters/records/run-store.ts")).runStore();
}

async function inHundreds<Item>(items: Item[], work: (some: Item[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += 100) await work(items.slice(start, start + 100));
}

describe("10,000 entries", () => {
  it.each(Object.entries(growing))("%s → no item of more than 400 KB", async (name, drive) => {
    const id = `bounds${Object.keys(growing).indexOf(name)}`;
    await drive(id);
    expect(await largestItem()).toBeLessThan(maxItemBytes);
  });

  it("of open sources, closed one by one → the last one ends the tally, and open ones are named", async () => {
    const runs = await runStore();
    const ids = many.slice(0, 60).map((index) => `source-${index}`);
    await runs.updateTally("ends", sourcesTallyName, { opened: ids });
    const ends: string[] = [];
    for (const [place, closing] of ids.entries()) {
      expect((await runs.openIds("ends", sourcesTallyName)).toSorted()).toEqual(ids.slice(place).toSorted());
      const { opened, closed } = await runs.updateTally("ends", sourcesTallyName, { closed: [closing] });
      if (opened === closed) ends.push(closing);
    }
    expect(ends).toEqual(ids.slice(-1));
  });

  it("of open sources, all closed at the same time → the tally is ended", async () => {
    const runs = await runStore();
    const ids = many.slice(0, 60).map((index) => `source-${index}`);
    await runs.updateTally("together", sourcesTallyName, { opened: ids });
    const sizes = await Promise.all(
      ids.map((id) => runs.updateTally("together", sourcesTallyName, { closed: [id] })),
    );
    expect(sizes.filter(({ opened, closed }) => opened === closed).length).toBeGreaterThan(0);
  });
});

/** JSON of an item is at least as long as DynamoDB counts it, but for numbers. */
async function largestItem(): Promise<number> {
  const { paginateScan } = await import("@aws-sdk/lib-dynamodb");
  const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
  const sizes = [tableNames.runs, tableNames.documents, tableNames.collections, tableNames.sourceStatus].map(
    async (TableName) => {
      let largest = 0;
      for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName }))
        for (const item of Items) largest = Math.max(largest, sizeOf(item));
      return largest;
    },
  );
  return Math.max(...(await Promise.all(sizes)));
}

function sizeOf(item: Record<string, unknown>): number {
  return Buffer.byteLength(
    JSON.stringify(item, (_, value) => (value instanceof Set ? [...value].join("") : value)),
  );
}
