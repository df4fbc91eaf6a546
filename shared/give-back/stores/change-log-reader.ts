import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ChangeLogReader, ItemVersion, KeyRange, ListEntry, LogState } from "../log/change-log.ts";

/** The key of an item of the table `changes`: the lists, and beside them the versions, the sets and the log's state. */
export interface ChangeKey {
  list: string;
  key: string;
}

const maxParallel = 16;

/** The largest number of reads of 1 MB each, some 8,000 entries, with which entries are counted. */
const maxCountReads = 20;

/** The list of the sets. */
export const setsList = "#sets";
/** The list of the collections that searches do not show. */
export const hiddenList = "#hidden";
/** The item that describes the log, and that of the planned changes. */
export const stateKey: ChangeKey = { list: "#log", key: "state" };
export const planKey: ChangeKey = { list: "#log", key: "plan" };

/** The list of the versions of an item. No setSpec begins with "#". */
export function versionsOf(itemId: string): string {
  return `#item/${itemId}`;
}

/** Reads the change log, which is the table `changes`. */
export function changeLogReader(): ChangeLogReader {
  const changes = table<object, ChangeKey>({
    variable: "changesTable",
    key: ({ list, key }) => ({ list, key }),
    hidden: ["list", "expiresAt"],
  });
  const within = (list: string, { from, until }: KeyRange) =>
    expression`list = ${list} AND key BETWEEN ${from} AND ${until}`;
  const last = async <Item>(list: string, until: string) => {
    const where = expression`list = ${list} AND key <= ${until}`;
    const read = changes.query<Item>({ where, isDescending: true, isConsistent: true });
    return until === "" ? undefined : (await read.first(1))[0];
  };
  return {
    state: async () => (await changes.get<{ state: LogState }>(stateKey))?.state,
    async latest(itemIds, until) {
      const read = await inParallel(itemIds, maxParallel, (itemId) =>
        last<ItemVersion>(versionsOf(itemId), until),
      );
      return read.filter((version) => version !== undefined);
    },
    versions: (keys) =>
      changes.getMany<ItemVersion>(
        keys.map(({ itemId, key }) => ({ list: versionsOf(itemId), key })),
        // A version is written before readers learn its key.
        { isConsistent: true },
      ),
    async entries(list, range, limit) {
      if (range.from > range.until) return { entries: [], isEnd: true };
      const where = within(list, range);
      const { items, end } = await changes.query<ListEntry>({ where, isConsistent: true }).page(limit);
      return { entries: items, isEnd: end === undefined };
    },
    lastEntry: (list, until) => last<ListEntry>(list, until),
    async count(list, range, isCounted) {
      let count = 0;
      let reads = 0;
      const where = within(list, range);
      const pages = changes.query<Pick<ListEntry, "next">>({
        where,
        attributes: ["next"],
        isConsistent: true,
      });
      for await (const page of pages.pages()) {
        if (reads === maxCountReads) return undefined;
        reads += 1;
        count += page.filter(isCounted).length;
      }
      return count;
    },
    async sets({ after, limit }) {
      const where = expression`list = ${setsList} AND key > ${after}`;
      const found = await changes.query<Pick<ChangeKey, "key">>({ where, isConsistent: true }).first(limit);
      return found.map(({ key }) => key);
    },
  };
}
