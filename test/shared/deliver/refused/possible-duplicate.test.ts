import { describe, expect, it } from "vitest";
import { reportRun } from "../../../../shared/deliver/report/report.ts";
import { refusedQueueSubject } from "../../../../shared/deliver/routes/refused-queue-routes.ts";
import { type ValidationRule, validationRules } from "../../../../shared/deliver/validation/rule.ts";
import { emptyListingResult } from "../../../../shared/harvest/listing/listing-results.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliver, deliveredTitles, harvested } from "../run-world.ts";

const dayMs = 86_400_000;

/** Articles of a journal on one of its hosts. */
function articles(host: string, count: number): Article[] {
  return Array.from({ length: count }, (_, at) => {
    const id = `${host}-${at}`;
    return {
      id,
      title: `Bell ${at}`,
      urls: [`https://${host}.example/${at}`],
      page: String(at + 1),
    };
  });
}

const titles = (count: number) => Array.from({ length: count }, (_, at) => `Bell ${at}`);

/** Harvests articles a day later, and delivers them. A test may let the process die in the delivery. */
async function deliverDaily(ports: MemoryPorts, given: Article[], begin = () => {}): Promise<string> {
  ports.now = new Date(ports.now.getTime() + dayMs);
  const runId = `run-${ports.runsById.size + 1}`;
  harvested(ports, runId, given);
  const { outcome } = emptyListingResult({ sourceId: "source", title: "Bells" });
  await ports.runs.saveListingOutcome(runId, "feed", { ...outcome, requested: given.length });
  for (const article of given) {
    const document = ports.documentOutcomesOf(runId).find(({ requestId }) => requestId === article.id);
    if (document?.state !== "converted" || ports.recordsById.has(article.id)) continue;
    const updatedAt = ports.now.toISOString();
    ports.recordsById.set(article.id, {
      ...document,
      runId,
      deliveryMode: "LIVE",
      title: article.id,
      landingUrl: document.url,
      collectionId: "source",
      syndicatedAt: updatedAt,
      state: "harvested",
      updatedAt,
    });
  }
  begin();
  await deliver(runId, ports);
  ports.live();
  return runId;
}

/** A journal whose articles were delivered from its old host. */
async function delivered(count: number): Promise<MemoryPorts> {
  const ports = new MemoryPorts();
  await deliverDaily(ports, articles("old", count));
  expect(deliveredTitles(ports)).toEqual(titles(count));
  return ports;
}

const heldIds = (ports: MemoryPorts) =>
  [...ports.refusedByKey.values()]
    .filter(({ released }) => released === undefined)
    .map(({ document }) => document.recordId)
    .sort();

/** Asks the API for something on all refused records of the source. */
async function post(ports: MemoryPorts, action: "release" | "ignore" | "revalidate") {
  ports.sourcesById.set("source", {} as never);
  const app = serve([refusedQueueSubject], ports);
  const held = action === "revalidate" ? {} : { reason: "perhaps-the-same" };
  const answer = await app.request(`/refused-records/${action}`, {
    method: "POST",
    body: JSON.stringify({ source: "source", ...held }),
  });
  const { records } = (await answer.json()) as { records: { id: string; outcome: string }[] };
  return records;
}

const outcomes = (outcome: string) => articles("new", 6).map(({ id }) => ({ id, outcome }));

describe("articles that are perhaps the same as delivered ones, under another host", () => {
  it("five at once → delivered, and told in the report", async () => {
    const ports = await delivered(5);
    const runId = await deliverDaily(ports, articles("new", 5));
    expect(deliveredTitles(ports)).toEqual([...titles(5), ...titles(5)].sort());
    const [source] = (await reportRun(runId, ports.runs)).sources;
    expect(source?.alike).toMatchObject({
      count: 5,
      first: expect.arrayContaining([
        expect.objectContaining({
          what: "Bell 0",
          reason: expect.stringContaining(
            'possible duplicate of record old-0 "Bell 0" <https://old.example/0>',
          ),
        }),
      ]),
    });
  });

  it("more than five → held and listed with the record that each is perhaps the same as", async () => {
    const ports = await delivered(6);
    const runId = await deliverDaily(ports, articles("new", 6));
    expect(deliveredTitles(ports)).toEqual(titles(6));
    expect(heldIds(ports)).toEqual(articles("new", 6).map(({ id }) => id));
    const [source] = (await reportRun(runId, ports.runs)).sources;
    expect(source).toMatchObject({ alike: { count: 0 }, delinquent: { count: 6 }, delivered: 0 });
    expect(source?.delinquent.first[0]?.reason).toMatch(
      /^waiting, with 6 of its source: possible duplicate of record old-\d .* \[perhaps-the-same\]$/,
    );
  });

  it("a new article among them → delivered", async () => {
    const ports = await delivered(6);
    await deliverDaily(ports, articles("new", 7));
    expect(deliveredTitles(ports)).toEqual(titles(7));
  });

  it("fewer on the next day → still held", async () => {
    const ports = await delivered(6);
    await deliverDaily(ports, articles("new", 6));
    await deliverDaily(ports, articles("new", 2));
    expect(deliveredTitles(ports)).toEqual(titles(6));
    expect(heldIds(ports)).toHaveLength(6);
  });

  it.for<[string, (article: Article) => Article]>([
    ["DOIs of their own", (article) => ({ ...article, doi: `10.5555/${article.id}` })],
    ["no ISSN and no pages", ({ page: _page, ...article }) => article],
  ])("%s → other articles", async ([, change]) => {
    const ports = new MemoryPorts();
    await deliverDaily(ports, articles("old", 6).map(change));
    const runId = await deliverDaily(ports, articles("new", 6).map(change));
    expect(deliveredTitles(ports)).toEqual([...titles(6), ...titles(6)].sort());
    expect((await reportRun(runId, ports.runs)).sources[0]?.alike.count).toBe(0);
  });

  it("released by an operator → delivered once by the next run", async () => {
    const ports = await delivered(6);
    await deliverDaily(ports, articles("new", 6));
    expect(await post(ports, "release")).toEqual(outcomes("released"));
    await deliverDaily(ports, articles("new", 3));
    await deliverDaily(ports, articles("new", 6));
    expect(deliveredTitles(ports)).toEqual([...titles(6), ...titles(6)].sort());
    expect(heldIds(ports)).toEqual([]);
  });

  it("ignored by an operator → never delivered, and no longer listed", async () => {
    const ports = await delivered(6);
    await deliverDaily(ports, articles("new", 6));
    expect(await post(ports, "ignore")).toEqual(outcomes("ignored"));
    expect(heldIds(ports)).toEqual([]);
    await deliverDaily(ports, articles("new", 6));
    expect(deliveredTitles(ports)).toEqual(titles(6));
    expect(ports.archived.get("url:new.example/0")?.state).toBe("ignore");
  });

  it("validated again by corrected rules → not released", async () => {
    const ports = await delivered(6);
    await deliverDaily(ports, articles("new", 6));
    expect(await post(ports, "revalidate")).toEqual(outcomes("delinquent"));
    await deliverDaily(ports, []);
    expect(deliveredTitles(ports)).toEqual(titles(6));
  });

  it("refused by a new rule meanwhile, and allowed again → still held", async () => {
    const ports = await delivered(6);
    await deliverDaily(ports, articles("new", 6));
    const strict = { tag: "245", subfield: "a", presence: "sometimes", regex: "^Gong" };
    const [rule] = validationRules.parse([strict]);
    ports.validationRules.set("strict", rule as ValidationRule);
    expect(await post(ports, "revalidate")).toEqual(outcomes("delinquent"));
    ports.validationRules.delete("strict");
    expect(await post(ports, "revalidate")).toEqual(outcomes("delinquent"));
    expect(await post(ports, "ignore")).toEqual(outcomes("ignored"));
  });

  it("killed at any write of the run that holds them, and of the one after their release → each delivered once", async () => {
    let kills = 0;
    for (const dyingRun of ["holding", "released"]) {
      for (const before of [true, false]) {
        for (let writes = 0, isKilled = true; isKilled; writes += 1) {
          const ports = await delivered(6);
          const die = (run: string) => () => {
            if (run === dyingRun) ports.dieAfter(writes, { before });
          };
          const startedAt = ports.now.getTime();
          await deliverDaily(ports, articles("new", 7), die("holding"));
          const when = `${dyingRun}, killed ${before ? "before" : "after"} write ${writes}`;
          expect(deliveredTitles(ports), when).toEqual(titles(7));
          expect(heldIds(ports), when).toEqual(articles("new", 6).map(({ id }) => id));
          await post(ports, "release");
          await deliverDaily(ports, articles("new", 6), die("released"));
          expect(deliveredTitles(ports), when).toEqual([...titles(7), ...titles(6)].sort());
          expect(heldIds(ports), when).toEqual([]);
          // Whoever dies continues a day later.
          isKilled = ports.now.getTime() - startedAt > 2 * dayMs;
          if (isKilled) kills += 1;
        }
      }
    }
    expect(kills).toBeGreaterThan(200);
  });
});
