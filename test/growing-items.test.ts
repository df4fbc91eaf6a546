import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const adapters = join(import.meta.dirname, "../shared/adapters/aws");

/** Updates that make an item grow: of a list, a set, or a number. */
const grows = /list_append\(|\bADD [#$:\w]/;

/**
 * What keeps the items of these files below 400 KB, although updates add to them. `item-bounds.long.test.ts` drives those whose
 * lists and sets grow with what others send.
 */
const bounds: Record<string, string> = {
  "check-set/check-store.ts": "a number",
  "config/configuration-store.ts": "a number",
  "gate/host-shares.ts": "a number",
  "gate/statistics-store.ts": "numbers, by names of ours",
  "harvest/tallies.ts": "sources are divided among items; ids of requests are digests, of limited listings",
  "harvest/waiting-articles.ts": "the names of an article; the articles of one name, at 17 bytes",
  "links/collection-store.ts": "a number; the changes of a hold, of which the budgets limit the number",
  "sent-mails.ts": "the recipients of a mail, whom operators name",
  "snapshots/captured-urls.ts": "a number",
  "snapshots/index-builds.ts": "the parts and jobs of one build",
};

it("every file whose updates let an item grow → says what bounds it", () => {
  const growing = globSync("**/*.ts", { cwd: adapters }).filter((file) =>
    grows.test(readFileSync(join(adapters, file), "utf8")),
  );
  expect(growing.toSorted()).toEqual(Object.keys(bounds).toSorted());
});
