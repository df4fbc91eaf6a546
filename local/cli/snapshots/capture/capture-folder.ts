import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { InputError } from "../../../../shared/core/errors.ts";
import { parseJson } from "../../../../shared/core/parse-json.ts";
import type { UnreadLinks } from "../../../../shared/snapshots/capture/discovered-link.ts";
import type { WantedUrl } from "../../../../shared/snapshots/capture/wanted-url.ts";
import { datedLogLine } from "../../../../shared/snapshots/warc/crawl-log.ts";
import type { RecordPlace } from "../../../../shared/snapshots/warc/warc-writer.ts";
import { linesOfFile } from "./lines-of-file.ts";
import { sortLines } from "./sort-lines.ts";
import { openSuffix, spoolFolder } from "./warc-files.ts";

const journalName = "capture.jsonl";
const cdxjName = "index.cdxj";
const unsortedName = "index.cdxj.open";
const logName = "crawl.log";
const listNames = { log: logName, cdxj: unsortedName } as const;
const warcPattern = /\.warc\.gz(\.open)?$/;

/** The settings of a capture. The same settings are needed to resume it. */
export interface CapturePlan {
  seeds: readonly string[];
  maxDepth: number;
}

/** An exchange in the journal. It is written after everything that it describes. */
export interface JournalEntry {
  url: string;
  found: readonly WantedUrl[];
  /** The size of the body as it was sent, in bytes. */
  bytes: number;
  /** Set if another exchange for its URL followed. */
  isInterim?: true;
  /** Set if its content is identical with that of an earlier capture. */
  isDuplicate?: true;
  /** Set if there was no response. */
  isFailed?: true;
  /** Why a seed failed: there was no response, or its status is an error. */
  seedFailure?: string;
  /** Set if some of its links were not read. */
  unread?: UnreadLinks;
}

/** The data that is written about an exchange. */
export interface CommittedExchange {
  entry: JournalEntry;
  /** The line of the crawl log, without the time at which it is written. */
  log: string;
  cdxj?: string | undefined;
  /** The place of its last record; absent if there was no response. */
  end?: RecordPlace | undefined;
}

/** The sizes of the lists after an exchange. */
interface Sizes {
  log: number;
  cdxj: number;
}

/**
 * A line of the journal. @property warc the file and the end of its last record; absent if there was no
 * response
 */
type Line = JournalEntry & { warc?: { name: string; sizeBytes: number }; sizes: Sizes };

/**
 * The folder of a capture: WARC files, their CDXJ, the crawl log, and a journal with which the same command
 * resumes a capture that was stopped or killed.
 * Several WARC files may be written at the same time; a single thread writes the lists. When a capture is
 * resumed, data after the last entry of the journal is cut off, and its URLs are requested again.
 */
export class CaptureFolder {
  /** The number of the next WARC file. */
  readonly nextSerial: number;
  readonly folder: string;
  private readonly files: Record<keyof typeof listNames | "journal", number>;
  private readonly sizes: Sizes = { log: 0, cdxj: 0 };

  /** Opens the folder, which must exist. @throws InputError if it has another capture */
  constructor(folder: string, plan: CapturePlan) {
    this.folder = folder;
    const journal = this.path(journalName);
    const wanted = JSON.stringify(plan);
    const first = existsSync(journal) ? firstLine(journal) : undefined;
    if (first === undefined) {
      if (readdirSync(folder).some((name) => warcPattern.test(name) || name === logName)) {
        throw new InputError("--out", folder, "holds another capture");
      }
      writeFileSync(journal, `${wanted}\n`);
    } else if (first !== wanted) {
      throw new InputError("--out", folder, `holds a capture of ${seedsOf(first)} with other settings`);
    }
    this.resume();
    this.nextSerial = this.warcNames().length;
    this.files = {
      log: openSync(this.path(logName), "a"),
      cdxj: openSync(this.path(unsortedName), "a"),
      journal: openSync(journal, "a"),
    };
  }

  /**
   * Appends the lines about exchanges to the lists, and then to the journal. The records must already be
   * written.
   */
  commit(exchanges: readonly CommittedExchange[]): void {
    const text = { log: "", cdxj: "", journal: "" };
    const add = (list: keyof typeof listNames, line: string) => {
      text[list] += `${line}\n`;
      this.sizes[list] += Buffer.byteLength(line) + 1;
    };
    const now = new Date();
    for (const { entry, log, cdxj, end } of exchanges) {
      add("log", datedLogLine(log, now));
      if (cdxj !== undefined) add("cdxj", cdxj);
      const warc = end && { name: end.filename, sizeBytes: end.offset + end.length };
      const line: Line = { ...entry, ...(warc && { warc }), sizes: this.sizes };
      text.journal += `${JSON.stringify(line)}\n`;
    }
    for (const list of ["log", "cdxj", "journal"] as const) {
      if (text[list] !== "") writeSync(this.files[list], text[list]);
    }
  }

  /**
   * Yields the entries of the earlier runs of this capture, in order. Must be called before the first commit.
   */
  *earlier(): Generator<JournalEntry> {
    yield* this.lines();
  }

  /** Sorts the CDXJ lines so far, and deletes the bodies that were not written to a WARC file. */
  close(): void {
    for (const file of Object.values(this.files)) closeSync(file);
    rmSync(this.path(spoolFolder), { recursive: true, force: true });
    sortLines(this.path(unsortedName), this.path(cdxjName));
  }

  warcNames(): string[] {
    return readdirSync(this.folder).filter((name) => /\.warc\.gz$/.test(name));
  }

  /** Yields the lines of the journal, except the first. @returns the size of the complete lines */
  private *lines(): Generator<Line, number> {
    const lines = linesOfFile(this.path(journalName), { endsWhole: true });
    lines.next();
    for (;;) {
      const { done, value } = lines.next();
      if (done) return value;
      const line = parseJson(value) as Line | null | undefined;
      if (line !== undefined && line !== null) yield line;
    }
  }

  private resume(): void {
    rmSync(this.path(spoolFolder), { recursive: true, force: true });
    mkdirSync(this.path(spoolFolder));
    const ends = new Map<string, number>();
    const lines = this.lines();
    let next = lines.next();
    for (; !next.done; next = lines.next()) {
      const { warc, sizes } = next.value;
      Object.assign(this.sizes, sizes);
      if (warc !== undefined) ends.set(warc.name, warc.sizeBytes);
    }
    // Removes an incomplete last line, because the next line would be appended to it.
    truncateSync(this.path(journalName), next.value);
    for (const list of ["log", "cdxj"] as const) {
      const path = this.path(listNames[list]);
      if (existsSync(path)) truncateSync(path, this.sizes[list]);
    }
    for (const name of readdirSync(this.folder).filter((each) => warcPattern.test(each))) {
      const sizeBytes = ends.get(name.replace(openSuffix, ""));
      if (sizeBytes === undefined) rmSync(this.path(name));
      else this.cut(name, sizeBytes);
    }
  }

  /** Truncates a file to its size at the last entry. */
  private cut(name: string, sizeBytes: number): void {
    const path = this.path(name);
    if (statSync(path).size > sizeBytes) truncateSync(path, sizeBytes);
    renameSync(path, path.replace(/\.open$/, ""));
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

/** Returns the first line; undefined if a killed process did not complete it. */
function firstLine(path: string): string | undefined {
  const lines = linesOfFile(path, { endsWhole: true });
  const { done, value } = lines.next();
  lines.return(0);
  return done ? undefined : value.toString();
}

function seedsOf(plan: string): string {
  const { seeds = [] } = (parseJson(plan) as Partial<CapturePlan> | undefined) ?? {};
  return seeds.join(", ");
}
