import { expect, it } from "vitest";
import { describeDeferred } from "../../../../shared/harvest/listing/article-requests.ts";

const reason = "deferred to the next run: the list is very long";

it.each([
  [0, []],
  [1, [{ entry: "1 more article", reason }]],
  [2, [{ entry: "2 more articles", reason }]],
])("%i articles beyond what is requested → %j", (count, dropped) => {
  expect(describeDeferred(count)).toEqual(dropped);
});
