import { expect, it } from "vitest";
import { deliver } from "./deliver-records.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

/** More than a stage works on without messages. */
const records = 4100;

it("a run of more than 4,000 records → divided into messages of five parts, each record delivered once", async () => {
  const failed: string[] = [];
  await testCloud(stateFolder(), {
    onLog: ({ functionName, level, message }) => {
      if (level === "ERROR") failed.push(`${functionName} ${JSON.stringify(message)}`);
    },
  });
  const { demoSource } = await import("../../local/start/seed.ts");
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  await storeConfiguration([demoSource("http://127.0.0.1:1/feed.xml")]);
  const titles = Object.fromEntries(Array.from({ length: records }, (_, at) => [`r${at}`, `On ${at}`]));
  expect(await deliver("live-20261120T190000Z", titles)).toBe(records);
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  const { stepTallyName } = await import("../../shared/records/runs/tally-names.ts");
  for (const step of ["validate", "settle-taken", "claim-valid", "archive"] as const) {
    // It closes a part that is closed, and gives the sizes.
    const closed = [step === "archive" ? "0.0" : "0"];
    const tally = await runStore().updateTally("live-20261120T190000Z", stepTallyName(step), { closed });
    expect([step, tally]).toEqual([step, { opened: 5, closed: 5 }]);
  }
  expect(failed).toEqual([]);
});
