import { describe, expect, it } from "vitest";
import { retryWithin } from "../../../../shared/core/retry.ts";
import { retryPorts } from "../../../../shared/deliver/pipeline/retry-ports.ts";
import { stages, stageTries } from "../../../../shared/records/runs/stages.ts";
import { Faults } from "../../memory/faults.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import {
  type Article,
  deliver,
  deliveredTitles,
  harvested,
  runStage,
  sftpDestination,
  titlesIn,
} from "../run-world.ts";

/** By hand: `RECORDS=10000 npx vitest run --project unit test/shared/deliver/pipeline/failing-calls.test.ts`. */
const recordCount = Number(process.env.RECORDS ?? 2000);

const articles: Article[] = Array.from({ length: recordCount }, (_, at) => ({
  id: `a${at}`,
  urls: [`https://journal.example/a${at}`],
  doi: `10.5555/a${at}`,
  ...(at % 50 === 0 && { isOnlineFirst: true }),
  ...(at % 50 === 1 && { title: "" }),
  ...(at % 2 === 0 && { groupId: "Other" }),
}));
const titles = articles
  .filter(({ title, isOnlineFirst }) => title !== "" && !isOnlineFirst)
  .map(({ id }) => `On ${id}`)
  .sort();

/** The ports as a stage gets them, over calls that fail. */
function failingPorts(ports: MemoryPorts, faults: Faults): MemoryPorts {
  const { runs, records, archive, sources, status, deliveries, leases, rules, refusedRecords, events } =
    ports;
  const stores = {
    runs,
    records,
    archive,
    sources,
    status,
    deliveries,
    leases,
    rules,
    refusedRecords,
    events,
  };
  const failing = Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, faults.in(store)]));
  const untilMs = ports.now.getTime() + 600_000;
  const retry = retryWithin({ clock: ports.clock, random: faults.random, untilMs });
  const sftp = faults.inReceivers(ports.sftp);
  const mailer = faults.in(ports.mailer);
  const given = { ...retryPorts(failing, retry), retry, sftp, mailer };
  return Object.assign(Object.create(ports), given) as MemoryPorts;
}

/** Brings a run to its end as the queues would, with the tries of each stage. @throws what failed the last try */
async function deliverOnce(ports: MemoryPorts, faults: Faults): Promise<void> {
  for (const stage of stages) {
    for (let tries = 1; ; tries += 1) {
      try {
        await runStage(stage, { runId: "run" }, failingPorts(ports, faults));
        break;
      } catch (error) {
        if (tries === stageTries) throw error;
      }
    }
  }
}

describe("a run with 2 % of all calls failing", () => {
  it.each([1, 2, 3])(
    "seed %i, to receivers by SFTP → delivered within one start, everything once",
    async (seed) => {
      const ports = new MemoryPorts();
      harvested(ports, "run", articles, { group: { destination: sftpDestination, recordsPerFile: 100 } });
      const faults = new Faults(0.02, seed);
      await deliverOnce(ports, faults);
      expect(ports.runsById.get("run")?.state).toBe("finished");
      expect(deliveredTitles(ports)).toEqual(titles);
      expect(ports.received.flatMap(([, content]) => titlesIn(content)).sort()).toEqual(titles);
      expect([...ports.remote.keys()]).toEqual([]);
      const states = Map.groupBy(articles, ({ id }) => ports.archived.get(`record:${id}`)?.state);
      expect(states.get("automatic")).toHaveLength(titles.length);
      expect(faults.count).toBeGreaterThan(recordCount / 20);
    },
  );
});

describe("a stage that stops in the middle of a long list", () => {
  /** Three parts: 1,000, 1,000 and 500. Each record has three keys. */
  const many = Array.from({ length: 2500 }, (_, at) => ({
    id: `m${at}`,
    urls: [`https://journal.example/m${at}`],
  }));

  it.each([
    ["upload", "claim", { made: 5000, repeated: 4500 }],
    ["archive", "saveEntry", { made: 1700, repeated: 1500 }],
  ] as const)(
    "%s, at %s → a repeat calls it for the unfinished parts alone",
    async (stage, method, { made, repeated }) => {
      const ports = new MemoryPorts();
      harvested(ports, "run", many);
      for (const before of stages.slice(0, stages.indexOf(stage)))
        await runStage(before, { runId: "run" }, ports);
      let calls = 0;
      const runUpTo = (limit: number) => {
        calls = 0;
        const call = ports.archive[method] as (...given: unknown[]) => Promise<unknown>;
        const counted = async (...given: unknown[]) => {
          calls += 1;
          if (calls > limit) throw new Error("no answer");
          return call(...given);
        };
        const archive = { ...ports.archive, [method]: counted };
        return runStage(
          stage,
          { runId: "run" },
          Object.assign(Object.create(ports), { archive }) as MemoryPorts,
        );
      };
      await expect(runUpTo(made)).rejects.toThrow("no answer");
      await runUpTo(Number.POSITIVE_INFINITY);
      expect(calls).toBe(repeated);
      await deliver("run", ports);
      expect(deliveredTitles(ports)).toEqual(many.map(({ id }) => `On ${id}`).sort());
    },
  );
});
