import { expect, it } from "vitest";
import { parseCoins } from "../../../../shared/formats/page/coins.ts";

it.for<[string, string[], string[]]>([
  ["Last, First", ["Doe, Jane", "Roe, Ann"], ["Jane Doe", "Ann Roe"]],
  ["First Last", ["Jane Doe"], ["Jane Doe"]],
  ["an initial", ["J. Doe", "Roe, Ann"], ["Jane Doe", "Ann Roe"]],
  ["the surname alone", ["Doe"], ["Jane Doe"]],
  ["beside one of the same surname", ["Doe, Jane", "Doe, Richard"], ["Jane Doe", "Richard Doe"]],
  ["beside one of the same surname and initial", ["Doe, Jane", "Doe, John"], ["Jane Doe", "John Doe"]],
  ["not at all, others are", ["Roe, Ann", "Doe, Richard"], ["Jane Doe", "Ann Roe", "Richard Doe"]],
])("the first author in parts, repeated as %s → every author once", ([_how, au, expected]) => {
  const params = new URLSearchParams({ ctx_ver: "Z39.88-2004", "rft.aulast": "Doe", "rft.aufirst": "Jane" });
  for (const name of au) params.append("rft.au", name);
  const [statement] = parseCoins([params.toString()]);
  expect(statement?.creators?.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).toEqual(expected);
});
