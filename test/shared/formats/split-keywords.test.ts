import { expect, it } from "vitest";
import { splitKeywords, splitSingleKeywords } from "../../../shared/formats/split-keywords.ts";

it.for<[values: string[], listed: string[], single: string[]]>([
  [["Physics, general"], ["Physics", "general"], ["Physics, general"]],
  [["bees, honey, wax"], ["bees", "honey", "wax"], ["bees", "honey", "wax"]],
  [["bees; honey, wild"], ["bees", "honey, wild"], ["bees", "honey, wild"]],
  [
    ["Physics, general", "Optics"],
    ["Physics, general", "Optics"],
    ["Physics, general", "Optics"],
  ],
])("%j → %j, of tags that have one each %j", ([values, listed, single]) => {
  expect(splitKeywords(values)).toEqual(listed);
  expect(splitSingleKeywords(values)).toEqual(single);
});
