import {
  type Answer,
  envelope,
  errorPage,
  listPage,
  record,
  type Script,
} from "../../../local/cli/harvest/scripted-repository.ts";
import { identify, noResponse } from "./oai-world.ts";

/** How a repository is wrong in one list. */
export const lies = [
  "none",
  "one page of all, with the size of the whole",
  "cut without a word",
  "loses its place",
  "a size that is too large",
  "a size that is too small",
  "no record at all",
  "repeats a page",
  "a page of HTML",
  "a page that is cut off",
] as const;
type Lie = (typeof lies)[number];

/** How a repository answers GetRecord. */
export const recordLies = [
  "right",
  "right",
  "right",
  "a server error",
  "no such verb",
  "another record",
  "denies all records",
] as const;
export type RecordLie = (typeof recordLies)[number];

/** What happens to a record while a list is read. */
export interface Change {
  /** After how many pages of the list. */
  page: number;
  /** The record's place among all, as a share of them. */
  place: number;
  type: "changed" | "added" | "deleted";
}

/** What the repository does in one poll. */
export interface Conduct {
  lie: Lie;
  recordLie: RecordLie;
  changes: Change[];
  /** Whether this request is not answered. */
  isDown: () => boolean;
}

export const honest: Conduct = { lie: "none", recordLie: "right", changes: [], isDown: () => false };

interface StoredRecord {
  id: string;
  datestamp: string;
  /** A tombstone. */
  isDeleted: boolean;
}

/** What a list has given so far. */
interface GivenList {
  /** The datestamps of the records that existed at its beginning and that it should have, by identifier. */
  due: Map<string, string>;
  given: Set<string>;
  records: number;
  sizes: Set<number | undefined>;
}

/**
 * A repository that keeps tombstones for a while, pages by offset in the order of datestamps, and lies. Lists of changes are
 * those of its datestamps.
 */
export class LyingRepository {
  conduct: Conduct = honest;
  /** All records and tombstones, in the order of their datestamps. */
  private records: StoredRecord[];
  private added = 0;
  private pages = 0;
  /** The datestamps of records that no reader can know of, as their lists left them out without a trace, by identifier. */
  readonly lost = new Map<string, string>();
  private list: GivenList = { due: new Map(), given: new Set(), records: 0, sizes: new Set() };
  private hasEndedList = false;
  private readonly pageSize: number;
  private readonly now: () => Date;

  /** @param now the time, by which records get their datestamps */
  constructor(size: number, pageSize: number, now: () => Date) {
    this.pageSize = pageSize;
    this.now = now;
    this.records = [];
    this.add(size);
  }

  /** The datestamps of the records that exist, by identifier. */
  get existing(): Map<string, string> {
    const existing = this.records.filter(({ isDeleted }) => !isDeleted);
    return new Map(existing.map(({ id, datestamp }) => [id, datestamp]));
  }

  add(count: number): void {
    for (let n = 0; n < count; n += 1) this.put({ id: `r${this.added++}`, isDeleted: false });
  }

  /** Records from a place on. @param hasTombstones whether it notes that they are gone */
  remove(count: number, place: number, hasTombstones: boolean): void {
    const ids = [...this.existing.keys()];
    for (const id of ids.slice(Math.floor(place * ids.length)).slice(0, count)) {
      this.take(id);
      if (hasTombstones) this.put({ id, isDeleted: true });
    }
  }

  change(place: number): void {
    const ids = [...this.existing.keys()];
    const id = ids[Math.floor(place * ids.length)];
    if (id === undefined) return;
    this.take(id);
    this.put({ id, isDeleted: false });
  }

  /** A record that is gone is back, perhaps with the datestamp that it had. */
  restore(id: string, datestamp?: string): void {
    this.take(id);
    this.put({ id, isDeleted: false, ...(datestamp !== undefined && { datestamp }) });
    // Only a list of all records has a datestamp of the past.
    if (datestamp !== undefined) this.lost.set(id, datestamp);
  }

  forgetTombstones(): void {
    this.records = this.records.filter(({ isDeleted }) => !isDeleted);
  }

  private take(id: string): void {
    this.records = this.records.filter((each) => each.id !== id);
  }

  private put(given: Omit<StoredRecord, "datestamp"> & { datestamp?: string }): void {
    const datestamp = `${this.now().toISOString().slice(0, 19)}Z`;
    this.records.push({ datestamp, ...given });
    this.records.sort((a, b) => (a.datestamp < b.datestamp ? -1 : a.datestamp > b.datestamp ? 1 : 0));
  }

  readonly script: Script = (args) => {
    if (this.conduct.isDown()) return { status: noResponse };
    const answer = this.answer(args);
    // As its clock says.
    return typeof answer === "string"
      ? answer.replace(/<responseDate>[^<]*/, `<responseDate>${this.now().toISOString().slice(0, 19)}Z`)
      : answer;
  };

  private answer({
    verb,
    resumptionToken,
    from,
    identifier,
  }: Readonly<Record<string, string>>): Answer | string {
    if (verb === "Identify") return identify({ deletedRecord: "transient" });
    if (verb === "GetRecord") return this.oneRecord(identifier ?? "");
    const [begin = "0", ...since] = resumptionToken?.split("@") ?? [];
    const start = resumptionToken === undefined ? (from ?? "") : (since[0] ?? "");
    if (resumptionToken === undefined) this.beginList(start);
    else this.changeBetweenPages();
    this.pages += 1;
    return this.page(Number(begin), start);
  }

  private oneRecord(id: string): Answer | string {
    switch (this.conduct.recordLie) {
      case "a server error":
        return { status: 500, body: "<html>Sorry</html>" };
      case "denies all records":
        return errorPage("idDoesNotExist");
      case "no such verb":
        return errorPage("badVerb");
      case "another record":
        return recordPage(record(`${id}x`));
      case "right": {
        const found = this.records.find((each) => each.id === id);
        return found === undefined ? errorPage("idDoesNotExist") : recordPage(xmlOf(found));
      }
    }
  }

  private beginList(since: string): void {
    this.pages = 0;
    const due = [...this.existing].filter(([, datestamp]) => datestamp >= since);
    this.list = { due: new Map(due), given: new Set(), records: 0, sizes: new Set() };
  }

  /** Notes what a page gives, and at the end what the list has left out, unless it shows that it is wrong. */
  private note(page: readonly StoredRecord[], size: number | undefined, isEnd: boolean): void {
    const { list, lost, existing } = this;
    for (const { id } of page) {
      list.given.add(id);
      lost.delete(id);
    }
    list.records += page.length;
    list.sizes.add(size);
    if (!isEnd) return;
    this.hasEndedList = true;
    const isTraced = list.given.size < list.records || list.sizes.size > 1 || list.records < (size ?? 0);
    if (isTraced) return;
    for (const [id, datestamp] of list.due)
      if (!list.given.has(id) && existing.get(id) === datestamp) lost.set(id, datestamp);
  }

  private changeBetweenPages(): void {
    for (const { type, place } of this.conduct.changes.filter(({ page }) => page === this.pages)) {
      if (type === "added") this.add(1);
      if (type === "changed") this.change(place);
      if (type === "deleted") this.remove(1, place, place < 0.5);
    }
  }

  private page(begin: number, since: string): string {
    const { conduct, pageSize } = this;
    const { lie } = conduct;
    const listed = this.records.filter(({ datestamp }) => datestamp >= since);
    if (listed.length === 0 || lie === "no record at all") {
      // A list of all records that has none any more is noticed.
      if (since !== "" || !this.hasEndedList) this.note([], undefined, true);
      return errorPage("noRecordsMatch");
    }
    const end = begin + pageSize;
    const isMiddle = begin > 0 && end < listed.length;
    const page = listed.slice(begin, end);
    const given = page.map(xmlOf);
    const size = sizeOf(listed.length, lie);
    const announced = `completeListSize="${size}"`;
    const tokenOf = (place: number) => `${place}@${since}`;
    const next = end < listed.length ? tokenOf(end) : "";
    const isCut = lie === "cut without a word";
    if (isCut || lie === "one page of all, with the size of the whole") {
      this.note(page, isCut ? undefined : size, true);
      return listPage(given, "", isCut ? undefined : announced);
    }
    if (isMiddle && lie === "a page of HTML") return "<html><body>Please wait</body></html>";
    if (isMiddle && lie === "a page that is cut off") return listPage(given, next, announced).slice(0, -200);
    if (isMiddle && lie === "loses its place") return errorPage("badResumptionToken");
    const isRepeated = isMiddle && lie === "repeats a page" && this.pages === 2;
    this.note(page, size, next === "");
    return listPage(given, isRepeated ? tokenOf(begin) : next, announced);
  }
}

function sizeOf(records: number, lie: Lie): number {
  if (lie === "a size that is too small") return 1;
  return lie === "a size that is too large" ? records + 7 : records;
}

function xmlOf({ id, datestamp, isDeleted }: StoredRecord): string {
  return record(id, { datestamp, deleted: isDeleted, title: `${id} of ${datestamp}` });
}

/** The response to GetRecord. */
export function recordPage(xml: string): string {
  return envelope(`<GetRecord>${xml}</GetRecord>`);
}
