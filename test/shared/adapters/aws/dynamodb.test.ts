import { beforeEach, describe, expect, it } from "vitest";
import { PlatformError } from "../../../../shared/core/errors.ts";
import { awsEndpoint } from "./endpoint.ts";

/** Answers that leave all keys out, until the next one gives them. */
let throttled = 0;
const asked = await awsEndpoint(({ body }) => {
  throttled -= 1;
  const { RequestItems } = JSON.parse(body) as { RequestItems: Record<string, { Keys: object[] }> };
  return throttled >= 0
    ? { Responses: { T: [] }, UnprocessedKeys: RequestItems }
    : { Responses: { T: RequestItems.T?.Keys }, UnprocessedKeys: {} };
});
const { getAll } = await import("../../../../shared/adapters/aws/dynamodb.ts");

const pauses: number[] = [];
const sleep = async (ms: number) => void pauses.push(ms);
beforeEach(() => {
  asked.length = 0;
  pauses.length = 0;
});

describe("getAll", () => {
  it("unprocessed keys → requested again, after pauses that double", async () => {
    throttled = 3;
    expect(await getAll("T", { Keys: [{ key: "a" }] }, { sleep })).toEqual([{ key: "a" }]);
    expect(pauses).toEqual([50, 100, 200]);
  });

  it("more keys than one request takes → several requests, each key in one of them", async () => {
    throttled = 1;
    const Keys = Array.from({ length: 250 }, (_, index) => ({ key: `k${index}` }));
    const items = await getAll<{ key: string }>("T", { Keys }, { sleep });
    expect(items.map(({ key }) => key).sort()).toEqual(Keys.map(({ key }) => key).sort());
    expect(asked).toHaveLength(4);
    expect(pauses).toEqual([50]);
  });

  it("unprocessed forever → a PlatformError", async () => {
    throttled = Number.POSITIVE_INFINITY;
    await expect(getAll("T", { Keys: [{ key: "a" }] }, { sleep })).rejects.toThrow(PlatformError);
    expect(asked).toHaveLength(8);
  });
});
