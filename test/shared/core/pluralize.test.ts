import { expect, it } from "vitest";
import { pluralize } from "../../../shared/core/pluralize.ts";

it.each([
  [0, "0 records"],
  [1, "1 record"],
  [2, "2 records"],
])("%i → %s", (n, text) => {
  expect(pluralize(n, "record")).toBe(text);
});
