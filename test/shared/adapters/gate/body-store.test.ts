import { expect, it, vi } from "vitest";
import { variables } from "../../../../shared/names.ts";
import { awsEndpoint } from "../aws/endpoint.ts";

const told: string[] = [];
await awsEndpoint(({ path }) => {
  told.push(`asked ${path.split("?")[0]}`);
  return "body";
});
vi.stubEnv(variables.responsesBucket, "bodies");
const { bodyStore } = await import("../../../../shared/adapters/gate/body-store.ts");

it("bodies wanted at the same time → had one after the other, so that a batch holds one", async () => {
  const bodies = bodyStore();
  const read = async (key: string) => {
    const bytes = await bodies.load(key);
    told.push(`read ${key}: ${new TextDecoder().decode(bytes)}`);
  };
  await Promise.all(["a", "b", "c"].map(read));
  expect(told).toEqual(["a", "b", "c"].flatMap((key) => [`asked /bodies/${key}`, `read ${key}: body`]));
});
