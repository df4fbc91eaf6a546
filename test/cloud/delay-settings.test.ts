import { beforeAll, expect, it } from "vitest";
import { stateFolder, testCloud } from "./local-cloud.ts";

let nowMs = 0;
const clock = { now: () => new Date(nowMs), sleep: async () => undefined };

beforeAll(() => testCloud(stateFolder(), { polling: false }));

async function store(value: Record<string, unknown>): Promise<void> {
  const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
  await configurationStore().put({ kind: "settings", id: "global", value });
}

it("settings that change → seen within a minute; unusable ones → the field is named, and they are read again", async () => {
  const { delaySettings } = await import("../../shared/adapters/gate/delay-settings.ts");
  const delays = delaySettings(clock);
  expect(await delays()).toBeUndefined();

  const hostDelays = { "journal.example": { defaultMs: 7000 } };
  await store({ hostDelays });
  nowMs += 59_999;
  expect(await delays()).toBeUndefined();
  nowMs += 1;
  expect(await delays()).toMatchObject({ defaultDelayMs: 1000, maxDelayMs: 5000, hostDelays });

  await store({ defaultDelayMs: -1 });
  nowMs += 60_000;
  await expect(delays()).rejects.toThrow("defaultDelayMs");
  await store({ defaultDelayMs: 2000 });
  expect(await delays()).toMatchObject({ defaultDelayMs: 2000 });
});
