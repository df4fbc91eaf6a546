import { expect, it } from "vitest";
import { reportRun } from "../../../../shared/deliver/report/report.ts";
import { validateRun } from "../../../../shared/deliver/validate/validate.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, deliveredTitles, harvested } from "../run-world.ts";

const runId = "live-20261120T190000Z";

function world(articles: number, broken: number): MemoryPorts {
  const ports = new MemoryPorts();
  const all = Array.from({ length: articles }, (_, n) => ({
    id: `a${n}`,
    urls: [`https://journal.example/${n}`],
  }));
  harvested(ports, runId, all);
  const [entries, requested] = [articles, articles];
  const counts = { entries, known: {}, requested, dropped: [] };
  ports.listings.set(`${runId} source`, { sourceId: "source", title: "S", state: "read", ...counts });
  for (let n = 0; n < broken; n += 1) ports.marcByKey.delete(`a${n}/${runId}`);
  return ports;
}

async function validate(ports: MemoryPorts, isLastTry: boolean): Promise<void> {
  const { runs, records, rules, refusedRecords, archive, clock } = ports;
  const queue = { send: async () => {} };
  const others = { next: queue, partsQueue: queue, isLastTry };
  await validateRun({ runId }, { runs, records, rules, refusedRecords, archive, clock, ...others });
}

it("a record that cannot be validated → tried again, and on the last try left out, with its reason in the report", async () => {
  const ports = world(50, 1);
  await expect(validate(ports, false)).rejects.toThrow(
    "record a0 of source source: it could not be validated",
  );
  await validate(ports, true);
  await deliver(runId, ports);
  expect(deliveredTitles(ports)).toHaveLength(49);
  const { sources } = await reportRun(runId, ports.runs);
  expect(sources).toMatchObject([
    {
      delivered: 49,
      unusable: { count: 1, first: [{ reason: expect.stringContaining("could not be validated") }] },
    },
  ]);
});

it("more than twenty records of a part → not the records: the stage fails", async () => {
  await expect(validate(world(50, 21), true)).rejects.toThrow("it could not be validated");
});
