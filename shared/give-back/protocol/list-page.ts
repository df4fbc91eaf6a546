import { keyRange } from "../log/change-key.ts";
import type { ChangeLogReader, ItemVersion, ListEntry } from "../log/change-log.ts";
import type { ListPosition } from "./resumption-token.ts";

/** The largest number of reads of the log for a page that finds only replaced entries. */
const maxReads = 5;

/** The entries of each read after the first, which skips replaced ones: some 400 KB. */
const skippedAtOnce = 4000;

/** Entries of a list, and where the list continues. */
interface FoundEntries {
  entries: ListEntry[];
  /** The key after which the list continues if all entries are given; undefined at the end. */
  after?: string;
}

/** The log, whose changes readers see up to the key `current`. */
interface VisibleLog<Reads extends keyof ChangeLogReader> {
  log: Pick<ChangeLogReader, Reads>;
  current: string;
}

/**
 * Finds the next entries of a list as it was when the list began: those that no change before then has replaced. What
 * has changed since is still given as it was, and again by the next list, which begins where this one has begun.
 *
 * The protocol has no empty pages. A page that finds only replaced entries repeats an item, in its latest version.
 */
export async function findEntries(
  position: ListPosition,
  pageSize: number,
  visible: VisibleLog<"entries" | "latest">,
): Promise<FoundEntries> {
  const { list, until, seen } = position;
  const found: ListEntry[] = [];
  let { from } = position;
  let last: ListEntry | undefined;
  let isAtEnd = false;
  for (let reads = 0; reads < maxReads && found.length <= pageSize && !isAtEnd; reads += 1) {
    // One more than a page has, to know whether there is another page.
    const read = await visible.log.entries(list, { from, until }, reads === 0 ? pageSize + 1 : skippedAtOnce);
    found.push(...read.entries.filter((entry) => isVisible(entry, seen)));
    isAtEnd = read.isEnd;
    last = read.entries.at(-1) ?? last;
    if (last !== undefined) from = keyAfter(last.key);
  }
  const entries = found.slice(0, pageSize);
  const after = found.length > pageSize ? entries.at(-1)?.key : last?.key;
  const goesOn = found.length > pageSize || !isAtEnd;
  const shown =
    entries.length > 0 ? entries : await repeatItem(last?.itemId ?? position.itemId, position, visible);
  const isFirst = position.itemId === undefined;
  if (entries.length === 0 && isAtEnd && isFirst) return { entries: [] };
  return { entries: shown, ...(goesOn && after !== undefined && { after }) };
}

/** Decides whether a list that began at `seen` shows an entry. */
export function isVisible({ next }: Pick<ListEntry, "next">, seen: string): boolean {
  return next === undefined || next > seen;
}

/** Returns the smallest key after a key. */
export function keyAfter(key: string): string {
  return `${key}0`;
}

async function repeatItem(
  itemId: string | undefined,
  { list }: ListPosition,
  { log, current }: VisibleLog<"latest">,
): Promise<ListEntry[]> {
  const [version] = itemId === undefined ? [] : await log.latest([itemId], current);
  const place = version?.places[list];
  return version === undefined || place === undefined ? [] : [{ itemId: version.itemId, ...place }];
}

/** Returns the number of records of a list that begins; undefined when counting them would take too long. */
export async function countList(
  { list, from, until, seen }: ListPosition,
  log: Pick<ChangeLogReader, "lastEntry" | "count">,
): Promise<number | undefined> {
  const all = keyRange({});
  if (from === all.from && until === seen) return (await log.lastEntry(list, seen))?.size;
  return log.count(list, { from, until }, (entry) => isVisible(entry, seen));
}

/** Reads the versions of entries. The version of an old entry may be gone; then the latest one counts. */
export async function readVersions(
  entries: readonly ListEntry[],
  { log, current }: VisibleLog<"versions" | "latest">,
): Promise<Map<string, ItemVersion>> {
  const read = await log.versions(entries.map(({ itemId, key }) => ({ itemId, key })));
  const known = new Map(read.map((version) => [version.itemId, version]));
  const missing = entries.filter(({ itemId }) => !known.has(itemId)).map(({ itemId }) => itemId);
  if (missing.length === 0) return known;
  for (const version of await log.latest(missing, current)) known.set(version.itemId, version);
  return known;
}
