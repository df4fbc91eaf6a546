import { beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigError } from "../../../../shared/core/errors.ts";
import { variables } from "../../../../shared/names.ts";
import { awsEndpoint } from "./endpoint.ts";

let answer: object = {};
const asked = await awsEndpoint(() => answer);
vi.stubEnv(variables.runsTable, "runs");
const { table, unchangedSince, isNext } = await import("../../../../shared/adapters/aws/table.ts");
const { expression, render } = await import("../../../../shared/adapters/aws/expression.ts");

interface Part {
  runId: string;
  note?: string;
}

const parts = table<Part, { runId: string; part: string }>({
  variable: "runsTable",
  key: ({ runId, part }) => ({ runId, part }),
  hidden: ["part", "expiresAt"],
});
const key = { runId: "r", part: "p" };
const Key = { runId: { S: "r" }, part: { S: "p" } };
const stored = { ...Key, note: { S: "n" }, expiresAt: { N: "1" }, writeId: { S: "w" } };
const inputs = () => asked.map(({ body }) => JSON.parse(body));

beforeEach(() => {
  asked.length = 0;
  answer = {};
});

describe("reads", () => {
  it("an item → a consistent read of its key; what is hidden, and the id of the write, are omitted", async () => {
    answer = { Item: stored };
    expect(await parts.get(key)).toEqual({ runId: "r", note: "n" });
    expect(inputs()).toEqual([{ TableName: "runs", Key, ConsistentRead: true }]);
  });

  it("no item → undefined; not consistent, and of some attributes → asked so", async () => {
    expect(await parts.get(key, { isConsistent: false, attributes: ["note"] })).toBeUndefined();
    expect(inputs()).toEqual([
      {
        TableName: "runs",
        Key,
        ConsistentRead: false,
        ProjectionExpression: "#note",
        ExpressionAttributeNames: { "#note": "note" },
      },
    ]);
  });

  it("no keys → no call", async () => {
    expect(await parts.getMany([])).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("a query → pages without what is hidden; it ends where there is no further key", async () => {
    answer = { Items: [stored] };
    const query = parts.query({
      index: "by-note",
      where: expression`note = ${"n"}`,
      isDescending: true,
      after: key,
    });
    const found = [{ runId: "r", note: "n" }];
    expect(await query.all()).toEqual(found);
    expect(await query.first(5)).toEqual(found);
    expect(await query.page(7)).toEqual({ items: found, end: undefined });
    const shared = {
      TableName: "runs",
      IndexName: "by-note",
      KeyConditionExpression: "#note = :v0",
      ExpressionAttributeNames: { "#note": "note" },
      ExpressionAttributeValues: { ":v0": { S: "n" } },
      ScanIndexForward: false,
      ExclusiveStartKey: Key,
    };
    expect(inputs()).toEqual([shared, { ...shared, Limit: 5 }, { ...shared, Limit: 7 }]);
  });
});

describe("writes", () => {
  it("a new item → only where its key is free, and once; the key wins over attributes of its names", async () => {
    expect(await parts.putNew(key, { note: "n", part: "other" })).toBe(true);
    const [{ Item, ConditionExpression, ExpressionAttributeNames }] = inputs();
    expect(Item).toEqual({ ...Key, note: { S: "n" }, writeId: { S: expect.any(String) } });
    expect(ConditionExpression).toMatch(/^\(attribute_not_exists\(#part\)\) AND \(.*writeId/);
    expect(ExpressionAttributeNames).toEqual({ "#part": "part" });
  });

  it("an item without a condition → as it is given", async () => {
    await parts.putItem(key, { note: "n" });
    expect(inputs()).toEqual([{ TableName: "runs", Item: { ...Key, note: { S: "n" } } }]);
  });

  it("an update whose item is asked for → without what is hidden", async () => {
    answer = { Attributes: stored };
    expect(await parts.updatedIf(key, expression`SET note = ${"n"}`)).toEqual({ runId: "r", note: "n" });
  });
});

it("the environment lacks the table → a ConfigError when it is opened", () => {
  expect(() => table({ variable: "hostsTable", key: (id: string) => ({ id }) })).toThrow(ConfigError);
});

it("unchanged since it was read → the same revision; none, with or without an item", () => {
  const text = (condition: ReturnType<typeof expression>) => render({ Condition: condition }).Condition;
  expect(text(unchangedSince({ revision: 3 }, "id"))).toBe("#revision = :v0");
  expect(text(unchangedSince({}, "id"))).toBe("attribute_exists(#id) AND attribute_not_exists(#revision)");
  expect(text(unchangedSince(undefined, "id"))).toBe("attribute_not_exists(#id)");
  expect(text(isNext({ revision: 1 }, "id"))).toBe("attribute_not_exists(#id)");
  expect(render({ Condition: isNext({ revision: 2 }, "id") }).ExpressionAttributeValues).toEqual({
    ":v0": 1,
  });
});
