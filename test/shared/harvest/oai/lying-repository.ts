import {
  envelope,
  errorPage,
  listPage,
  record,
  type Script,
} from "../../../local/cli/harvest/scripted-repository.ts";
import { identify } from "./oai-world.ts";

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

/** A repository that keeps no deleted records, pages by offset in the order of datestamps, and lies. */
export class LyingRepository {
  /** Of all records, in the order of their datestamps. */
  readonly ids: string[];
  lie: Lie = "none";
  recordLie: RecordLie = "right";
  changes: Change[] = [];
  private added = 0;
  private pages = 0;

  private readonly pageSize: number;

  constructor(size: number, pageSize: number) {
    this.pageSize = pageSize;
    this.ids = Array.from({ length: size }, (_, n) => `r${n}`);
  }

  /** From a place on. */
  remove(count: number, place: number): void {
    this.ids.splice(Math.floor(place * this.ids.length), count);
  }

  add(count: number): void {
    for (let n = 0; n < count; n += 1) this.ids.push(`a${this.added++}`);
  }

  readonly script: Script = ({ verb, resumptionToken, from, identifier }) => {
    if (verb === "Identify") return identify({ deletedRecord: "no" });
    if (verb === "GetRecord") return this.oneRecord(identifier ?? "");
    if (from !== undefined) return errorPage("noRecordsMatch");
    const begin = Number(resumptionToken ?? 0);
    if (resumptionToken === undefined) this.pages = 0;
    else this.change();
    this.pages += 1;
    return this.page(begin);
  };

  private oneRecord(id: string): ReturnType<Script> {
    switch (this.recordLie) {
      case "a server error":
        return { status: 500, body: "<html>Sorry</html>" };
      case "denies all records":
        return errorPage("idDoesNotExist");
      case "no such verb":
        return errorPage("badVerb");
      case "another record":
        return recordPage(record(`${id}x`));
      case "right":
        return this.ids.includes(id) ? recordPage(record(id)) : errorPage("idDoesNotExist");
    }
  }

  /** What changes between two pages. */
  private change(): void {
    for (const { type, place } of this.changes.filter(({ page }) => page === this.pages)) {
      if (type === "added") this.add(1);
      const [id] = type === "added" ? [] : this.ids.splice(Math.floor(place * this.ids.length), 1);
      // Its new datestamp is the latest of all.
      if (type === "changed" && id !== undefined) this.ids.push(id);
    }
  }

  private page(begin: number) {
    const { ids, lie, pageSize } = this;
    const end = begin + pageSize;
    const isMiddle = begin > 0 && end < ids.length;
    const given = ids.slice(begin, end).map((id) => record(id));
    const size = lie === "a size that is too large" ? ids.length + 7 : ids.length;
    const announced = `completeListSize="${lie === "a size that is too small" ? 1 : size}"`;
    const next = end < ids.length ? String(end) : "";
    if (lie === "no record at all") return errorPage("noRecordsMatch");
    if (lie === "one page of all, with the size of the whole") return listPage(given, "", announced);
    if (lie === "cut without a word") return listPage(given);
    if (isMiddle && lie === "a page of HTML") return "<html><body>Please wait</body></html>";
    if (isMiddle && lie === "a page that is cut off") return listPage(given, next, announced).slice(0, -200);
    if (isMiddle && lie === "loses its place") return errorPage("badResumptionToken");
    const isRepeated = isMiddle && lie === "repeats a page" && this.pages === 2;
    return listPage(given, isRepeated ? String(begin) : next, announced);
  }
}

/** The response to GetRecord. */
export function recordPage(xml: string): string {
  return envelope(`<GetRecord>${xml}</GetRecord>`);
}
