import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import type { FunctionLog } from "../../local/cloud/lambda/function-log.ts";
import { type StartEmulators, startEmulators } from "../../local/cloud/start-emulators.ts";
import { type DemoSite, demoPort, startDemoSite } from "../../local/demo/site.ts";
import { unfinishedReason } from "../../local/invoke/invocation.ts";
import { precedingSamples } from "../../local/invoke/samples.ts";
import { functionNames } from "../../shared/names.ts";
import { type Journals, startJournals } from "./chaos/journals.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { startMotoEmulators } from "./second-emulator/moto-emulators.ts";
import { motoProblem } from "./second-emulator/moto-process.ts";

const root = join(import.meta.dirname, "../..");
/** moto takes a minute. */
const problem = process.env.EMULATOR === "moto" ? motoProblem() : "npm run second-emulator does";
const journalCount = 4;
const articlesEach = 50;

describe.skipIf(problem !== undefined)(`on moto${problem ? `, not run: ${problem}` : ""}`, () => {
  let site: DemoSite;
  let journals: Journals;
  let cloud: LocalCloud;

  beforeAll(async () => {
    [site, journals] = await Promise.all([
      startDemoSite(),
      startJournals({ journals: journalCount, articles: articlesEach }),
    ]);
  });
  afterAll(() => Promise.all([site?.close(), journals?.provider.close()]));

  /** Starts a cloud, invokes each function with its sample, and tells what became of it. */
  async function outcomesOfSamples(emulators: StartEmulators): Promise<Record<string, unknown[]>> {
    // The clients of this process have the address of one cloud.
    vi.resetModules();
    const errors: FunctionLog[] = [];
    cloud = await testCloud(stateFolder(), {
      allowedPrivateHosts: [new URL(site.origin).host, ...journals.hosts],
      polling: false,
      emulators,
      onLog: (line) => void (line.level === "ERROR" && errors.push(line)),
    });
    const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
    const { demoCollection, demoSource } = await import("../../local/start/seed.ts");
    await storeConfiguration([demoSource(site.feedUrl)], [demoCollection]);
    const outcomes: Record<string, unknown[]> = {};
    for (const name of samplesInOrder()) {
      const text = readFileSync(join(root, `events/${name}.json`), "utf8");
      const event = JSON.parse(text.replaceAll(`127.0.0.1:${demoPort}`, new URL(site.origin).host));
      const answer = await cloud.invoke(`ingather-${name}`, event).catch((error: Error) => error);
      const reason = answer instanceof Error ? String(answer) : unfinishedReason(answer);
      const details = errors.splice(0).map((line) => Object(line).detail ?? line);
      outcomes[name] = [reason ?? "done", ...details];
    }
    return outcomes;
  }

  it("each function, invoked with its sample → as on the emulators of the local cloud", async () => {
    const expected = await outcomesOfSamples(startEmulators);
    expect(Object.keys(expected)).toHaveLength(Object.keys(functionNames).length);
    expect(await outcomesOfSamples(startMotoEmulators)).toEqual(expected);
    // What is not done needs more than a sample: an id that is drawn, a session, the key of a harvester.
    const unfinished = Object.keys(expected).filter((name) => expected[name]?.[0] !== "done");
    expect(unfinished).toEqual([
      "console",
      "import-configuration",
      "oai-provider",
      "public-api",
      "read-upload",
    ]);
  });

  it("a harvest of 200 articles → all delivered", async ({ signal }) => {
    cloud.resumePolling();
    const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
    const { localGroup } = await import("../../local/local-group.ts");
    const { messageQueue } = await import("../../shared/adapters/aws/queues.ts");
    const { runStore } = await import("../../shared/adapters/records/run-store.ts");
    const { followRun } = await import("../../local/start/follow-run.ts");
    const { buildRunId } = await import("../../shared/records/runs/run.ts");
    const sources = journals.hosts.map((host, index) => ({
      sourceId: `journal-${index + 1}`,
      title: `Journal ${index + 1}`,
      type: "RSS" as const,
      url: `http://${host}/feed`,
      groupId: localGroup.groupId,
      deliveryMode: "LIVE" as const,
      throttleMs: 10,
    }));
    await storeConfiguration(sources);
    const start = {
      deliveryMode: "LIVE" as const,
      scheduledTime: new Date().toISOString(),
      sourceIds: sources.map(({ sourceId }) => sourceId),
    };
    await messageQueue("runStartsQueue").send(start);
    const { run, totals } = await followRun(buildRunId(start), runStore(), { print: () => {}, signal });
    expect([run.state, totals.delivered]).toEqual(["finished", journalCount * articlesEach]);
  });
});

/** The samples, each after those that it needs. */
function samplesInOrder(): string[] {
  const names = globSync("events/*.json", { cwd: root }).map((file) => basename(file, ".json"));
  return [...new Set(names.sort().flatMap((name) => [...precedingSamples(name), name]))];
}
