import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxPossibleDuplicates } from "../../../../shared/deliver/refused/possible-duplicate.ts";
import { reportRun } from "../../../../shared/deliver/report/report.ts";
import { emptyListingResult } from "../../../../shared/harvest/listing/listing-results.ts";
import type { Division } from "../../../../shared/records/runs/divided-step.ts";
import { readParts } from "../../../../shared/records/runs/parts.ts";
import type { ConvertedDocument } from "../../../../shared/records/runs/run.ts";
import type { Stage, StageRequest } from "../../../../shared/records/runs/stages.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { type Article, deliveredTitles, harvested, runStage } from "../run-world.ts";

const runId = "run";

/**
 * What becomes of an article. Twins are the same article under two ids: either may be delivered. A corrected one was refused and
 * released, and is valid when it is harvested again.
 */
const kinds = [
  "valid",
  "refused",
  "onlineFirst",
  "twins",
  "refusedTwins",
  "released",
  "corrected",
  "alike",
] as const;

interface Drawn {
  kind: (typeof kinds)[number];
  groupId: string;
}

/** Few kinds in one run, so that a source has many articles of a kind, too. */
const run = fc
  .subarray([...kinds], { minLength: 1 })
  .chain((some) =>
    fc.array<Drawn>(
      fc.record({ kind: fc.constantFrom(...some), groupId: fc.constantFrom("Test", "Other") }),
      { minLength: 1, maxLength: 25 },
    ),
  );

const division = fc.record({ partSize: fc.integer({ min: 1, max: 5 }), maxInline: fc.constant(0) });

/** Where the process dies: it survives so many writes each time. */
const deaths = fc.array(fc.record({ writes: fc.nat({ max: 60 }), before: fc.boolean() }), { maxLength: 6 });

function articlesOf(drawn: Drawn[]): Article[] {
  return drawn.flatMap(({ kind, groupId }, at): Article[] => {
    const one: Article = {
      id: `a${at}`,
      title: `On ${at}`,
      urls: [`https://journal.example/${at}`],
      groupId,
    };
    const refused = { ...one, title: "" };
    const twin = { id: `z${at}`, doi: `10.5555/${at}` };
    const articles: Record<Drawn["kind"], Article[]> = {
      valid: [one],
      refused: [refused],
      released: [refused],
      corrected: [one],
      onlineFirst: [{ ...one, isOnlineFirst: true }],
      twins: [one, { ...one, ...twin }],
      refusedTwins: [refused, { ...refused, ...twin }],
      alike: [{ ...one, page: String(at + 1) }],
    };
    return articles[kind];
  });
}

/** The titles in the files of both runs. A released record has none. */
function expectedTitles(drawn: Drawn[]): string[] {
  const isHeld = drawn.filter(({ kind }) => kind === "alike").length > maxPossibleDuplicates;
  return drawn
    .flatMap(({ kind }, at) => {
      const isDelivered = ["valid", "twins", "corrected"].includes(kind) || (kind === "alike" && !isHeld);
      return [...(isDelivered ? [`On ${at}`] : []), ...(kind === "alike" ? [`On ${at}`] : [])];
    })
    .sort();
}

/** A run, after one that has delivered the articles that are like some of its articles, and refused some of them. */
async function worldOf(drawn: Drawn[]): Promise<MemoryPorts> {
  const ports = new MemoryPorts();
  const articles = articlesOf(drawn);
  const kindOf = ({ id }: Article) => drawn[Number(id.slice(1))]?.kind;
  const earlier = articles.flatMap((one) => {
    const kind = kindOf(one);
    if (kind === "alike") return [{ ...one, id: `o${one.id}`, urls: [`${one.urls[0]}/old`] }];
    return kind === "released" || kind === "corrected" ? [{ ...one, title: "" }] : [];
  });
  harvested(ports, "earlier", earlier);
  await work({ runId: "earlier", ports });
  for (const record of ports.refusedByKey.values())
    await ports.refusedRecords.release(record, { at: ports.now.toISOString(), by: "operator" });
  ports.now = new Date(ports.now.getTime() + 86_400_000);
  harvested(ports, runId, articles, { group: { recordsPerFile: 7 } });
  const { outcome } = emptyListingResult({ sourceId: "source", title: "Source" });
  await ports.runs.saveListingOutcome(runId, "feed", { ...outcome, requested: articles.length });
  return ports;
}

/** Works on the messages of a run in any order, some of them twice, each as often as it dies. */
async function work(given: {
  runId: string;
  ports: MemoryPorts;
  division?: Division;
  /** The place of the next message, from 0 up to 1; absent: the first one. */
  random?: () => number;
  deaths?: { writes: number; before: boolean }[];
}): Promise<void> {
  const { ports, random = () => 0 } = given;
  const pending: { stage: Stage; request: StageRequest }[] = [
    { stage: "validate", request: { runId: given.runId } },
  ];
  const deaths = [...(given.deaths ?? [])];
  const dieNext = () => {
    const death = deaths.shift();
    if (death !== undefined) ports.dieAfter(death.writes, death);
  };
  dieNext();
  for (
    let message = pending[0];
    message !== undefined;
    message = pending[Math.floor(random() * pending.length)]
  ) {
    const { stage, request } = message;
    const partsQueue = { send: async (part: StageRequest) => void pending.push({ stage, request: part }) };
    const own = Object.assign(Object.create(ports), { partsQueue, division: given.division });
    try {
      const next = await runStage(stage, request, own);
      if (next !== undefined) pending.push({ stage: next, request: { runId: given.runId } });
      // A queue may deliver a message twice.
      if (random() < 0.9) pending.splice(pending.indexOf(message), 1);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      ports.live();
      ports.now = new Date(ports.now.getTime() + 120_000);
      dieNext();
    }
  }
  ports.live();
}

/** The ids of the records in the files of the run. */
async function deliveredIds({ runs }: MemoryPorts): Promise<string[]> {
  const ids: string[] = [];
  const { files } = await reportRun(runId, runs);
  for (const { documents } of files.filter(({ kind }) => kind === "valid"))
    for await (const part of readParts<ConvertedDocument>(documents, runs))
      ids.push(...part.map(({ recordId }) => recordId));
  return ids;
}

/** What people and later runs see of a run; twins count as one. */
async function resultOf(ports: MemoryPorts): Promise<object> {
  const { totals, sources, files } = await reportRun(runId, ports.runs);
  const nameOf = (key: string) => key.replace(/z(\d+)$/, "a$1");
  const [source] = sources;
  return {
    titles: deliveredTitles(ports),
    archive: [...ports.archived]
      .filter(([key]) => key.startsWith("record:"))
      .map(([key, { state }]) => `${nameOf(key)} ${state}`)
      .sort(),
    refused: [...ports.refusedByKey.values()].map(({ document }) => document.recordId).sort(),
    published: ports.published
      .filter(({ type }) => type.startsWith("record."))
      .map(({ changeId }) => nameOf(changeId.replace(/\/.*/, "")) + changeId.replace(/[^/]*/, ""))
      .filter((change, index, all) => all.indexOf(change) === index)
      .sort(),
    files: files.map(({ kind, groupId, documents }) => `${kind} ${groupId} ${documents.count}`).sort(),
    totals,
    duplicates: source?.duplicates.count,
    released: source?.released,
    alike: source?.alike.count,
  };
}

describe("a run that is divided into parts", () => {
  it("in any order, twice, killed between → what the undivided run delivers, archives and reports", async () => {
    let divided = 0;
    await fc.assert(
      fc.asyncProperty(
        run,
        division,
        deaths,
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (drawn, sizes, dies, order) => {
          const whole = await worldOf(drawn);
          await work({ runId, ports: whole });
          const ports = await worldOf(drawn);
          const random = () => order.next().value as number;
          await work({ runId, ports, division: sizes, random, deaths: dies });
          expect(ports.runsById.get(runId)?.state).toBe("finished");
          expect(await resultOf(ports)).toEqual(await resultOf(whole));
          expect(deliveredTitles(ports)).toEqual(expectedTitles(drawn));
          const delivered = await deliveredIds(ports);
          expect(delivered).toEqual([...new Set(delivered)]);
          for (const [name, { opened, closed }] of ports.tallies) {
            expect([...closed].sort(), name).toEqual([...opened].sort());
            divided += opened.size;
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(divided).toBeGreaterThan(1000);
  });

  it("a repeat after a part has failed → requests the parts that are left alone", async () => {
    const ports = await worldOf(Array.from({ length: 20 }, () => ({ kind: "valid", groupId: "Test" })));
    const sent: StageRequest[] = [];
    const partsQueue = { send: async (request: StageRequest) => void sent.push(request) };
    const divided = Object.assign(Object.create(ports), {
      partsQueue,
      division: { partSize: 2, maxInline: 0 },
    });
    await runStage("validate", { runId }, divided);
    const [failing, ...others] = sent.splice(0);
    expect(others.length).toBe(9);
    for (const request of others) await runStage("validate", request, divided);
    expect(sent).toEqual([]);
    await runStage("validate", { runId }, divided);
    expect(sent).toEqual([failing]);
  });

  it("a part claimed by two, one of whom continues after the plan is stored → no claim is left for a duplicate", async () => {
    const ports = await worldOf([{ kind: "twins", groupId: "Test" }]);
    const division = { partSize: 5, maxInline: 0 };
    const requests: StageRequest[] = [{ runId }];
    const partsQueue = { send: async (request: StageRequest) => void requests.push(request) };
    const own = Object.assign(Object.create(ports), { partsQueue, division });
    const workOn = async (stage: Stage) => {
      for (let request = requests.shift(); request !== undefined; request = requests.shift())
        await runStage(stage, request, own);
    };
    await workOn("validate");
    await runStage("upload", { runId }, own);
    const [part] = requests as [StageRequest];
    const slow = Promise.withResolvers<void>();
    const archive: MemoryPorts["archive"] = {
      ...ports.archive,
      claim: async (...given) => {
        await slow.promise;
        return ports.archive.claim(...given);
      },
    };
    const second = runStage("upload", part, Object.assign(Object.create(own), { archive }));
    await workOn("upload");
    expect(ports.results.has(`${runId} plan`)).toBe(true);
    const claimed = [...ports.archived.keys()].sort();
    slow.resolve();
    await second;
    expect([...ports.archived.keys()].sort()).toEqual(claimed);
  });
});
