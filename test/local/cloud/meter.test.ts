import { describe, expect, it } from "vitest";
import { prices } from "../../../bench/prices.ts";
import { Usage, usdOf } from "../../../bench/usage.ts";
import { type DynaliteDb, meterReads, meterWrites } from "../../../local/cloud/dynamodb/meter-tables.ts";
import { type Meter, type MeteredUnits, meteredCall } from "../../../local/cloud/meter.ts";

const S = (text: string) => ({ S: text });

/** A table with an index that projects one attribute, and one of all of them. */
const table = {
  TableName: "t",
  KeySchema: [{ AttributeName: "id" }],
  GlobalSecondaryIndexes: [
    {
      IndexName: "by-state",
      KeySchema: [{ AttributeName: "state" }],
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["title"] },
    },
    { IndexName: "all", KeySchema: [{ AttributeName: "kind" }], Projection: { ProjectionType: "ALL" } },
  ],
};

function metered() {
  const seen: MeteredUnits[] = [];
  const none = () => {};
  const meter: Meter = { call: none, invocation: none, logLine: none, units: (each) => void seen.push(each) };
  const written: unknown[] = [];
  const db: DynaliteDb = {
    updateIndexes: (_store, _table, _existing, item) => void written.push(item),
    checkConditional: (_input, item) => (item === undefined ? undefined : "refused"),
    itemSize: (item) => JSON.stringify(item).length,
  };
  const store = {};
  meterWrites(store, meter, db);
  const unitsOf = (existing: object | undefined, item: object | undefined) => {
    seen.length = 0;
    db.updateIndexes(store, table, existing as never, item as never, () => {});
    return seen.map(({ index = "table", units }) => `${index} ${units}`);
  };
  return { seen, written, db, meter, unitsOf };
}

describe("a meter of tables", () => {
  const large = { id: S("1"), state: S("new"), title: S("a"), text: S("x".repeat(3000)) };

  it.each([
    ["a new item → the table and the indexes that it is in", undefined, large, ["table 3", "by-state 1"]],
    ["a change that an index does not project", large, { ...large, text: S("y") }, ["table 3"]],
    ["a change of what it projects", large, { ...large, title: S("b") }, ["table 3", "by-state 1"]],
    ["another key of the index → twice", large, { ...large, state: S("old") }, ["table 3", "by-state 2"]],
    ["a deletion → its index, too", large, undefined, ["table 3", "by-state 1"]],
    ["all attributes projected", undefined, { ...large, kind: S("k") }, ["table 4", "by-state 1", "all 4"]],
  ])("%s", (_title, before, after, units) => {
    expect(metered().unitsOf(before, after)).toEqual(units);
  });

  it("a condition that does not hold is billed, and the write is passed on", () => {
    const { db, seen, written, unitsOf } = metered();
    db.checkConditional({ TableName: "t" }, large);
    expect(seen).toEqual([{ table: "t", kind: "write", units: 3 }]);
    unitsOf(undefined, large);
    expect(written).toEqual([large]);
  });

  it("reads → as answered; writes → not twice", () => {
    const { seen, meter } = metered();
    const capacity = { TableName: "t", CapacityUnits: 2.5 };
    meterReads("Query", { IndexName: "all" }, { ConsumedCapacity: capacity }, meter);
    meterReads("BatchGetItem", {}, { ConsumedCapacity: [capacity] }, meter);
    meterReads("PutItem", {}, { ConsumedCapacity: capacity }, meter);
    expect(seen).toEqual([
      { table: "t", index: "all", kind: "read", units: 2.5 },
      { table: "t", kind: "read", units: 2.5 },
    ]);
  });
});

describe("the bill", () => {
  const call = (service: string, target: string, input: object, method = "POST", path = "/") =>
    meteredCall(service, "f", {
      request: {
        method,
        path,
        query: new URLSearchParams(),
        headers: target === "" ? {} : { "x-amz-target": target },
        body: Buffer.from(JSON.stringify(input)),
      },
      response: { status: 200, headers: {}, body: Buffer.from("{}") },
    });

  it.each([
    [
      "a FIFO queue",
      call("sqs", "AmazonSQS.SendMessage", { QueueUrl: "http://h/0/a.fifo" }),
      prices.perMillion.fifoCalls,
    ],
    [
      "more than 64 KiB",
      call("sqs", "AmazonSQS.SendMessage", { QueueUrl: "http://h/0/a", MessageBody: "x".repeat(100_000) }),
      2 * prices.perMillion.standardCalls,
    ],
    ["an object", call("s3", "", {}, "PUT", "/bucket/bodies/1"), prices.perMillion.s3Puts],
    ["its deletion", call("s3", "", {}, "DELETE", "/bucket/bodies/1"), 0],
    [
      "events",
      call("events", "AWSEvents.PutEvents", { Entries: [{}, {}, {}] }),
      3 * prices.perMillion.events,
    ],
    ["a read of a table, whose units count", call("dynamodb", "DynamoDB.GetItem", { TableName: "t" }), 0],
  ])("%s", (_title, metered, usdPerMillion) => {
    const usage = new Usage();
    usage.call(metered);
    expect(usdOf(usage.take()) * 1e6).toBeCloseTo(usdPerMillion);
    expect(usdOf(usage.take())).toBe(0);
  });

  it("an invocation → its time at its memory", () => {
    const usage = new Usage();
    usage.invocation({ functionName: "f", memoryMb: 512, ms: 1999.5 });
    const [time, invocation] = usage.take();
    expect(time).toMatchObject({ item: "Lambda GB-seconds", of: "f", count: 1 });
    expect(invocation?.usd).toBeCloseTo(prices.perMillion.invocations / 1e6);
  });
});
