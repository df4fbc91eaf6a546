import { expect, it } from "vitest";
import { hasWords } from "../../../shared/core/has-words.ts";

it.each([
  ["", [], true],
  ["rain", ["The Rain of October"], true],
  ["october RAIN", ["The Rain of October"], true],
  ["rain  1234", ["Rain", "1234-5678"], true],
  ["rain snow", ["Rain"], false],
  [" ", [undefined], true],
])("%j in %j → %j", (sought, texts, isThere) => {
  expect(hasWords(sought, texts)).toBe(isThere);
});
