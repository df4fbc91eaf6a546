import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../../local/cloud/cloud.ts";
import type { FunctionLog } from "../../../local/cloud/function-log.ts";
import { type DemoSite, demoPort, startDemoSite } from "../../../local/demo/site.ts";
import { unfinishedReason } from "../../../local/invocation.ts";
import { precedingSamples } from "../../../local/samples.ts";
import { functionNames } from "../../../shared/names.ts";
import { type Journals, startJournals } from "../chaos/journals.ts";
import { stateFolder, testCloud } from "../local-cloud.ts";
import { startMotoEmulators } from "./moto-emulators.ts";
import { motoProblem } from "./moto-process.ts";

const root = join(import.meta.dirname, "../../..");
const problem = motoProblem();

/** The samples, each after those that it needs. */
function samplesInOrder(): string[] {
  const names = globSync("events/*.json", { cwd: root }).map((file) => basename(file, ".json"));
  return [...new Set(names.sort().flatMap((name) => [...precedingSamples(name), name]))];
}

describe.skipIf(problem !== undefined)(`on moto${problem ? `, not here: ${problem}` : ""}`, () => {
  let site: DemoSite;
  let journals: Journals;
  let cloud: LocalCloud;
  const errors: FunctionLog[] = [];

  beforeAll(async () => {
    [site, journals] = await Promise.all([startDemoSite(), startJournals({ journals: 4, articles: 50 })]);
    cloud = await testCloud(stateFolder(), {
      allowedPrivateHosts: [new URL(site.origin).host, ...journals.hosts],
      polling: false,
      emulators: startMotoEmulators,
      onLog: (line) => void (line.level === "ERROR" && errors.push(line)),
    });
    const { storeConfiguration } = await import("../../../local/run-delivery.ts");
    const { demoCollection, demoSource } = await import("../../../local/seed.ts");
    await storeConfiguration([demoSource(site.feedUrl)], [demoCollection]);
  });
  afterAll(() => Promise.all([site?.close(), journals?.provider.close()]));

  it("each function, invoked with its sample → done, without an error", async () => {
    const unfinished: Record<string, unknown> = {};
    const names = samplesInOrder();
    expect(names.length).toBe(Object.keys(functionNames).length);
    for (const name of names) {
      const text = readFileSync(join(root, `events/${name}.json`), "utf8");
      const event = JSON.parse(text.replaceAll(`127.0.0.1:${demoPort}`, new URL(site.origin).host));
      errors.length = 0;
      const answer = await cloud.invoke(`ingather-${name}`, event).catch((error: Error) => error);
      const reason = answer instanceof Error ? String(answer) : unfinishedReason(answer);
      if (reason !== undefined || errors.length > 0) unfinished[name] = [reason, ...errors];
    }
    expect(unfinished).toEqual({});
  });
});
