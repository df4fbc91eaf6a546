import { describe, expect, it } from "vitest";
import { readStatement } from "../../../../local/cloud/dynamodb/partiql.ts";

const S = (text: string) => ({ S: text });

describe("a PartiQL statement", () => {
  it("INSERT → a new item only", () => {
    const read = readStatement({
      Statement: `INSERT INTO "t" VALUE {'id': ?, 'a-b': ?}`,
      Parameters: [S("1"), S("x")],
    });
    expect(read).toMatchObject({ table: "t", action: "PartiQLInsert", failure: "DuplicateItem" });
    expect(read.input(["id"])).toEqual({
      TableName: "t",
      Item: { id: S("1"), "a-b": S("x") },
      ConditionExpression: "attribute_not_exists(#key)",
      ExpressionAttributeNames: { "#key": "id" },
    });
  });

  it("UPDATE → an existing item only, under its condition", () => {
    const read = readStatement({
      Statement: `UPDATE "t" SET "state" = ? SET "at" = ? REMOVE "old" WHERE "id" = ? AND "part" = ? AND ("owner" = ? AND ("state" = ? OR "state" <> ?))`,
      Parameters: ["new", "now", "1", "p", "me", "a", "b"].map(S),
    });
    expect(read).toMatchObject({ table: "t", action: "PartiQLUpdate", failure: "ConditionalCheckFailed" });
    expect(read.input(["id", "part"])).toEqual({
      TableName: "t",
      Key: { id: S("1"), part: S("p") },
      UpdateExpression: "SET #nstate = :p0, #nat = :p1 REMOVE #nold",
      ConditionExpression: "attribute_exists(#nid) AND (#nowner = :p4 AND (#nstate = :p5 OR #nstate <> :p6))",
      ExpressionAttributeNames: {
        "#nstate": "state",
        "#nat": "at",
        "#nold": "old",
        "#nid": "id",
        "#nowner": "owner",
      },
      ExpressionAttributeValues: {
        ":p0": S("new"),
        ":p1": S("now"),
        ":p4": S("me"),
        ":p5": S("a"),
        ":p6": S("b"),
      },
    });
  });

  it.each([
    `SELECT * FROM "t" WHERE "id" = ?`,
    `INSERT INTO "t" VALUE {'id': 'literal'}`,
    `INSERT INTO "t" VALUE {'id': ?, 'more': ?}`,
    `UPDATE "t" SET "a" = 'literal' WHERE "id" = ?`,
    `DELETE FROM "t" WHERE "id" = ?`,
  ])("that the adapters do not write → refused: %s", (Statement) => {
    expect(() => readStatement({ Statement, Parameters: [S("1")] })).toThrow(
      "does not support the statement",
    );
  });

  it("whose condition does not begin with the key → refused", () => {
    const Statement = `UPDATE "t" SET "a" = ? WHERE "b" = ? AND "id" = ?`;
    const { input } = readStatement({ Statement, Parameters: ["1", "2", "3"].map(S) });
    expect(() => input(["id"])).toThrow("the key must come first");
  });
});
