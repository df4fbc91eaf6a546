import { expect, it } from "vitest";
import { counted } from "../../../shared/core/counted.ts";

it.each([
  [0, "0 records"],
  [1, "1 record"],
  [2, "2 records"],
])("%i → %s", (n, text) => {
  expect(counted(n, "record")).toBe(text);
});
