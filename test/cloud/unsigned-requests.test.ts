import { beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let token: string;
beforeAll(async () => {
  cloud = await testCloud(stateFolder(), { polling: false });
  token = await cloud.issueToken({ sub: "operator@localhost" });
});

/** The statuses of as many requests at once, with how often each came. */
async function flood(path: string, count: number): Promise<Record<number, number>> {
  const statuses = await Promise.all(
    Array.from({ length: count }, async () => {
      const answer = await fetch(cloud.apiUrl + path);
      await answer.body?.cancel();
      return answer.status;
    }),
  );
  return Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
  );
}

const signed = async (path: string) =>
  (await fetch(cloud.apiUrl + path, { headers: { authorization: `Bearer ${token}` } })).status;

describe("a flood of requests without a token", () => {
  it("to a route for operators → refused by the authorizer; an operator is served meanwhile", async () => {
    const flooded = flood("/runs", 500);
    expect(await signed("/runs")).toBe(200);
    expect(await flooded).toEqual({ 401: 500 });
    expect(await signed("/runs")).toBe(200);
  });

  it("to a public route → throttled there; an operator is served", async () => {
    const answered = await flood("/records/none", 200);
    expect(answered[429]).toBeGreaterThan(0);
    expect(await signed("/runs")).toBe(200);
  });
});
