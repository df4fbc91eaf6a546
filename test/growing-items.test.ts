import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pathOfStore, storeFiles } from "./store-files.ts";

/** Matches updates that make an item grow: of a list, a set, or a number. */
const grows = /list_append\(|\bADD [#$:\w]/;

/**
 * Why the items of these files remain below 400 KB although updates add to them. `item-bounds.long.test.ts`
 * tests those whose lists and sets grow with external data.
 */
const bounds: Record<string, string> = {
  "check-set/stores/check-store": "a number",
  "adapters/records/configuration-store": "a number",
  "adapters/gate/host-shares": "a number",
  "adapters/gate/statistics-store": "numbers, by names of ours",
  "adapters/records/tallies":
    "sources are divided among items; ids of requests are digests, of limited listings",
  "harvest/stores/waiting-articles": "the names of an article; the articles of one name, at 17 bytes",
  "links/stores/collection-store": "a number; the changes of a hold, of which the budgets limit the number",
  "adapters/aws/failed-messages": "the tries of one message, of which there are at most eight",
  "adapters/aws/sent-mails": "the recipients of a mail, whom operators name",
  "snapshots/stores/captured-urls": "a number",
  "snapshots/stores/index-builds": "the parts and jobs of one build",
};

it("every file whose updates let an item grow → says what bounds it", () => {
  const growing = storeFiles.filter((file) => grows.test(readFileSync(pathOfStore(file), "utf8")));
  expect(growing.toSorted()).toEqual(Object.keys(bounds).toSorted());
});
