import { describe, expect, it } from "vitest";
import {
  assignments,
  attribute,
  expression,
  given,
  list,
  render,
} from "../../../../shared/adapters/aws/expression.ts";

const update = (change: ReturnType<typeof expression>) => render({ UpdateExpression: change });

describe("an expression", () => {
  it("names of attributes → aliases, as any of them may be reserved; keywords and functions → as they are", () => {
    const condition = expression`attribute_not_exists(key) OR (state IN (${"a"}, ${"b"}) AND size(list.parts[0]) = ${2})`;
    expect(render({ ConditionExpression: condition })).toEqual({
      ConditionExpression:
        "attribute_not_exists(#key) OR (#state IN (:v0, :v1) AND size(#list.#parts[0]) = :v2)",
      ExpressionAttributeNames: { "#key": "key", "#state": "state", "#list": "list", "#parts": "parts" },
      ExpressionAttributeValues: { ":v0": "a", ":v1": "b", ":v2": 2 },
    });
  });

  it("several of one input → each name and value once, and apart", () => {
    expect(
      render({
        UpdateExpression: expression`SET state = ${"done"} REMOVE wantedBy`,
        ConditionExpression: expression`state = ${"wanted"}`,
      }),
    ).toEqual({
      UpdateExpression: "SET #state = :v0 REMOVE #wantedBy",
      ConditionExpression: "#state = :v1",
      ExpressionAttributeNames: { "#state": "state", "#wantedBy": "wantedBy" },
      ExpressionAttributeValues: { ":v0": "done", ":v1": "wanted" },
    });
  });

  it("a name known at run time, whatever it is made of → an alias of its own, the same each time", () => {
    const place = expression`results.${attribute("check-1.a")}`;
    const { UpdateExpression, ExpressionAttributeNames } = update(
      expression`SET ${place} = if_not_exists(${place}, ${1})`,
    );
    expect(UpdateExpression).toBe("SET #results.#_1 = if_not_exists(#results.#_1, :v0)");
    expect(ExpressionAttributeNames).toEqual({ "#results": "results", "#_1": "check-1.a" });
  });

  it("a value that looks like an expression → a value", () => {
    const { ConditionExpression, ExpressionAttributeValues } = render({
      ConditionExpression: expression`state = ${"x OR attribute_exists(y)"}`,
    });
    expect(ConditionExpression).toBe("#state = :v0");
    expect(ExpressionAttributeValues).toEqual({ ":v0": "x OR attribute_exists(y)" });
  });

  it("a part for a value that is absent → nothing; 0, false and null are values", () => {
    const later = (id: unknown) =>
      expression`kind = ${"k"}${given(id, (value) => expression` AND id > ${value}`)}`;
    expect(render({ KeyConditionExpression: later(undefined) }).KeyConditionExpression).toBe("#kind = :v0");
    for (const id of [0, false, null])
      expect(render({ KeyConditionExpression: later(id) }).ExpressionAttributeValues).toEqual({
        ":v0": "k",
        ":v1": id,
      });
  });

  it("empty or absent → no member of the input, and no empty lists of names and values", () => {
    expect(render({ ConditionExpression: expression``, FilterExpression: undefined })).toEqual({});
  });
});

it("assignments → those that are not undefined, also in a map", () => {
  expect(update(expression`SET ${assignments({ a: 1, b: undefined, c: null })}`)).toEqual({
    UpdateExpression: "SET #a = :v0, #c = :v1",
    ExpressionAttributeNames: { "#a": "a", "#c": "c" },
    ExpressionAttributeValues: { ":v0": 1, ":v1": null },
  });
  expect(update(expression`SET ${assignments({ a: 1 }, "job")}`).UpdateExpression).toBe("SET #job.#a = :v0");
});

it("a list → its parts with commas between them; an array as a value stays one", () => {
  const { ConditionExpression } = render({ ConditionExpression: expression`a IN (${list(["x", "y"])})` });
  expect(ConditionExpression).toBe("#a IN (:v0, :v1)");
  const { ExpressionAttributeValues } = update(expression`SET a = list_append(a, ${["x", "y"]})`);
  expect(ExpressionAttributeValues).toEqual({ ":v0": ["x", "y"] });
});
