import { expect, it, vi } from "vitest";
import { variables } from "../../../../shared/names.ts";
import { awsEndpoint } from "../aws/endpoint.ts";

let answer: string | object = "not JSON";
const asked = await awsEndpoint(() => answer);
vi.stubEnv(variables.flagsTable, "flags");
const { networkIsDown } = await import("../../../../shared/adapters/gate/network-store.ts");

it("the flag cannot be read → thrown on, and read again by the next that asks; then known for a while", async () => {
  const isDown = networkIsDown();
  await expect(isDown()).rejects.toThrow();
  answer = { Item: { flag: { S: "network" }, state: { S: "down" } } };
  expect(await isDown()).toBe(true);
  const reads = asked.length;
  expect(await isDown()).toBe(true);
  expect(asked).toHaveLength(reads);
});
