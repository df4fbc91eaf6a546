import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { functionNames } from "../../../shared/names.ts";
import { afterFile } from "../../after-file.ts";
import { deliveredTitles } from "../started.ts";
import { type ChaosCloud, isLong, openChaosCloud, partMs } from "./chaos-cloud.ts";
import { sourceIdOf, sourceOf } from "./harvest.ts";
import { type Journals, startJournals } from "./journals.ts";

const size = isLong ? { journals: 50, articles: 20 } : { journals: 12, articles: 4 };
/** The function that reads feeds has this much memory, and this one feed needs more. */
const memoryMb = 40;
const hugeFeedMb = 12;

let chaos: ChaosCloud;
let journals: Journals;
let huge: string;
let run: { state: string; reason: string | undefined; of: string | undefined };
let deaths = 0;

beforeAll(async () => {
  journals = await startJournals({
    ...size,
    feedBytes: (number) => (number === 1 ? hugeFeedMb * 1_000_000 : 0),
  });
  afterFile(journals.provider.close);
  const { hosts } = journals;
  [huge = ""] = hosts;
  chaos = await openChaosCloud("a memory limit", {
    // A fault at the last receive of a message would leave it to the deadline of its run.
    ...{ hosts, probability: 0.05, deliveryProbability: 0 },
    memoryMb: { [functionNames.readFeed]: memoryMb },
    onLog: ({ functionName, level, message }) => {
      if (functionName === functionNames.readFeed && level === "FATAL" && /memory/.test(String(message)))
        deaths += 1;
    },
  });
  const { storeConfiguration, runDelivery } = await import("../../../local/start/run-delivery.ts");
  const { exportFiles } = await import("../../../local/start/export-files.ts");
  const sources = hosts.map(sourceOf);
  await storeConfiguration(sources);
  const { signal } = new AbortController();
  const [report] = await chaos.until(runDelivery(sources, { print: () => {}, signal }));
  const found = report?.sources.find(({ sourceId }) => sourceId === sourceIdOf(huge));
  run = { state: report?.run.state ?? "", of: found?.state, reason: found?.reason };
  await exportFiles(join(chaos.stateDir, "deliveries"));
}, partMs);

describe("a feed that needs more memory than its function has", () => {
  it("the function ends each time, and the message is received again; then the source fails with this reason", () => {
    expect(deaths).toBeGreaterThan(3);
    expect(run).toEqual({
      state: "finished",
      of: "failed",
      reason: expect.stringMatching(
        /could not be processed: the function ended 3 times .* ran out of memory or time/,
      ),
    });
  });

  it("the other feeds, which were read beside it → all delivered, each article once", async () => {
    const [, ...others] = journals.hosts;
    expect(await deliveredTitles(chaos.stateDir)).toEqual(others.flatMap(journals.titlesOf).toSorted());
  });

  it("its message → the only quarantined one", async () => {
    const { failedMessages } = await import("../../../shared/adapters/aws/failed-messages.ts");
    const messages = await failedMessages().list({ limit: 100 });
    expect(messages.map(({ subject }) => subject?.sourceId)).toEqual([sourceIdOf(huge)]);
  });
});
