import { beforeEach, describe, expect, it } from "vitest";
import { PlatformError } from "../../../../shared/core/errors.ts";
import { awsEndpoint } from "./endpoint.ts";

interface Call {
  Statements: { Statement: string; Parameters: Record<string, unknown>[] }[];
}

/** What each key is answered, one after the other; no error when there is none left. */
const errorsOf = new Map<string, string[]>();
const keyIn = (statement: Call["Statements"][number]) => String(statement.Parameters[0]?.S);
const asked = await awsEndpoint(({ body }) => {
  const { Statements } = JSON.parse(body) as Call;
  return {
    Responses: Statements.map((statement) => {
      const Code = errorsOf.get(keyIn(statement))?.shift();
      return { TableName: "T", ...(Code !== undefined && { Error: { Code, Message: "why" } }) };
    }),
  };
});
const { insertAll, updateAll } = await import("../../../../shared/adapters/aws/statements.ts");

const pauses: number[] = [];
const clock = { sleep: async (ms: number) => void pauses.push(ms) };
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `i${index}`, n: index }));
const calls = () => asked.map(({ body }) => (JSON.parse(body) as Call).Statements.map(keyIn));

beforeEach(() => {
  asked.length = 0;
  pauses.length = 0;
  errorsOf.clear();
});

describe("insertAll", () => {
  it("more than a call takes → several calls, each item in one of them", async () => {
    expect(await insertAll("T", ["id"], items(60), clock)).toEqual(items(60).map(() => true));
    expect(
      calls()
        .map(({ length }) => length)
        .toSorted(),
    ).toEqual([10, 25, 25]);
    const statements = asked.flatMap(({ body }) => (JSON.parse(body) as Call).Statements);
    expect(statements.find((statement) => keyIn(statement) === "i0")).toEqual({
      Statement: `INSERT INTO "T" VALUE {'id': ?, 'n': ?}`,
      Parameters: [{ S: "i0" }, { N: "0" }],
    });
  });

  it("a key that is taken → not inserted; the others are", async () => {
    errorsOf.set("i1", ["DuplicateItem"]);
    expect(await insertAll("T", ["id"], items(3), clock)).toEqual([true, false, true]);
  });

  it("a key given twice → the first of them", async () => {
    expect(await insertAll("T", ["id"], [...items(2), { id: "i0", n: 9 }], clock)).toEqual([
      true,
      true,
      false,
    ]);
    expect(calls()).toEqual([["i0", "i1"]]);
  });

  it("throttled → only these again, after pauses that double", async () => {
    errorsOf.set("i1", ["ThrottlingError", "ProvisionedThroughputExceeded", "DuplicateItem"]);
    expect(await insertAll("T", ["id"], items(3), clock)).toEqual([true, false, true]);
    expect(calls()).toEqual([["i0", "i1", "i2"], ["i1"], ["i1"]]);
    expect(pauses).toEqual([50, 100]);
  });

  it.each([
    ["throttled forever", Array.from({ length: 99 }, () => "ThrottlingError")],
    ["refused", ["AccessDenied"]],
  ])("%s → a PlatformError that names the code", async (_title, codes) => {
    errorsOf.set("i1", [...codes]);
    await expect(insertAll("T", ["id"], items(3), clock)).rejects.toThrow(PlatformError);
  });

  it("nothing → no call", async () => {
    expect(await insertAll("T", ["id"], [], clock)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe("updateAll", () => {
  it("sets, removes and conditions → one statement each, with the values in their order", async () => {
    await updateAll("T", [
      {
        key: { id: "1" },
        set: { a: "x", b: undefined, c: 2 },
        remove: ["d"],
        where: ['"state" <> ?', "old"],
      },
    ]);
    expect(JSON.parse(asked[0]?.body ?? "").Statements).toEqual([
      {
        Statement: `UPDATE "T" SET "a" = ? SET "c" = ? REMOVE "d" WHERE "id" = ? AND ("state" <> ?)`,
        Parameters: [{ S: "x" }, { N: "2" }, { S: "1" }, { S: "old" }],
      },
    ]);
  });

  it("a condition that does not hold → no error", async () => {
    errorsOf.set("x", ["ConditionalCheckFailed"]);
    await updateAll("T", [{ key: { id: "1" }, set: { a: "x" }, where: ['"state" = ?', "s"] }]);
    expect(asked).toHaveLength(1);
  });
});
