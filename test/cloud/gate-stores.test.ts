import { beforeAll, expect, it } from "vitest";
import { type HostState, newHost } from "../../shared/web/gate/host-state.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

beforeAll(() => testCloud(stateFolder(), { polling: false }));

it("all places at the translation server taken → found by one read, without a write", async () => {
  const { translationSlots } = await import("../../shared/adapters/aws/gate/translation-slots.ts");
  const places = translationSlots();
  const taken = await Promise.all(Array.from({ length: 15 }, () => places.claim(60_000)));
  const { commands, stop } = await watchCommands();
  expect(await places.claim(60_000)).toBeUndefined();
  stop();
  expect(commands).toEqual(["BatchGetItemCommand"]);
  for (const place of taken) await place?.release();
});

it("the answer to a write is lost, and the SDK tries again → it is ours all the same, and once", async () => {
  const { translationSlots } = await import("../../shared/adapters/aws/gate/translation-slots.ts");
  const { hostStore } = await import("../../shared/adapters/aws/gate/host-store.ts");
  const { commands, stop } = await watchCommands({ losesAnswers: true });
  const place = await translationSlots().claim(60_000);
  const hosts = hostStore();
  const host = { ...newHost("lost.example"), lease: { holder: "us", untilMs: 1 } };
  expect(await hosts.save(host)).toBe(true);
  expect(await hosts.save({ ...host, version: 1 })).toBe(true);
  stop();
  expect(place).toBeDefined();
  expect(commands.filter((name) => name === "PutItemCommand")).toHaveLength(4);
  expect(await hosts.load("lost.example")).toMatchObject({ version: 2 });
  expect(await hosts.save({ ...host, version: 1 })).toBe(false);
  await place?.release();
});

it("places at the translation server → fifteen, given free when left or after their time", async () => {
  const { translationSlots } = await import("../../shared/adapters/aws/gate/translation-slots.ts");
  const places = translationSlots();
  const taken = await Promise.all(Array.from({ length: 15 }, () => places.claim(60_000)));
  expect(taken).not.toContain(undefined);
  expect(await places.claim(60_000)).toBeUndefined();
  await taken[7]?.release();
  const again = await places.claim(-1);
  expect(again).toBeDefined();
  // Its time is over already.
  expect(await places.claim(60_000)).toBeDefined();
  await again?.release();
  expect(await places.claim(60_000)).toBeUndefined();
});

it("an item of a host from before a property was there → the property as at a host never asked", async () => {
  const { hostStore } = await import("../../shared/adapters/aws/gate/host-store.ts");
  const hosts = hostStore();
  const { givenUp: _absent, ...older } = newHost("older.example");
  expect(await hosts.save({ ...older, failures: 3 } as HostState)).toBe(true);
  expect(await hosts.load("older.example")).toMatchObject({ failures: 3, givenUp: 0, version: 1 });
});

/** Sees each command that is sent to DynamoDB; the answer to the first try of each write may be lost on the way back. */
async function watchCommands({ losesAnswers = false } = {}) {
  const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
  const commands: string[] = [];
  const lost = new Set<object>();
  dynamodb.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        commands.push(commandName);
        const result = await next(args);
        if (!losesAnswers || lost.has(args.input) || commandName === "BatchGetItemCommand") return result;
        lost.add(args.input);
        throw Object.assign(new Error("the answer was lost"), { name: "TimeoutError" });
      },
    { step: "finalizeRequest", priority: "low", name: "watch" },
  );
  return { commands, stop: () => dynamodb.middlewareStack.remove("watch") };
}
