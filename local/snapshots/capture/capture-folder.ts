import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";
import type { WantedUrl } from "../../../shared/snapshots/capture/capture-outcome.ts";
import { sortCdxj } from "../../../shared/snapshots/warc/cdxj.ts";
import type { RecordPlace, WarcFile } from "../../../shared/snapshots/warc/warc-writer.ts";

/** A file that is still written. Readers of WARC files leave such files alone. */
const openSuffix = ".open";

const journalName = "capture.jsonl";
const cdxjName = "index.cdxj";
const unsortedName = "index.cdxj.open";
const logName = "crawl.log";
const listNames = { log: logName, cdxj: unsortedName } as const;
const warcPattern = /\.warc\.gz(\.open)?$/;

/** What a capture is made of: the same command continues it. */
export interface CapturePlan {
  seeds: readonly string[];
  maxDepth: number;
}

/** One exchange in the journal. All that it tells was written before. */
export interface JournalEntry {
  url: string;
  found: readonly WantedUrl[];
  /** Of the body as it came. */
  bytes: number;
}

/** What is written about an exchange. */
export interface CommittedExchange {
  entry: JournalEntry;
  /** Its line of the crawl log. */
  log: string;
  cdxj?: string | undefined;
  /** Its last record; absent when there was no answer. */
  end?: RecordPlace | undefined;
}

/** How far the files had been written after an exchange. */
interface Sizes {
  log: number;
  cdxj: number;
  warc: number;
}

type Line = JournalEntry & { warcName: string; sizes: Sizes };

/**
 * The folder of a capture: WARC files, their CDXJ, the crawl log, and a journal by which the same command continues a
 * capture that was stopped or killed. What was written after the last entry of the journal is cut off, and fetched again.
 */
export class CaptureFolder {
  /** The entries of the earlier part of this capture, in order. */
  readonly earlier: readonly JournalEntry[];
  /** The number of the next WARC file. */
  readonly nextSerial: number;
  private readonly folder: string;
  private readonly files: Record<keyof typeof listNames | "journal", number>;
  private warcName = "";
  private readonly sizes: Sizes = { log: 0, cdxj: 0, warc: 0 };

  /** @throws InputError when the folder holds another capture */
  constructor(folder: string, plan: CapturePlan) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    const journal = this.path(journalName);
    const wanted = JSON.stringify(plan);
    const [first, ...lines] = existsSync(journal) ? wholeLines(readFileSync(journal, "utf8")) : [];
    if (first === undefined) {
      if (readdirSync(folder).some((name) => warcPattern.test(name) || name === logName)) {
        throw new InputError("--out", folder, "holds another capture");
      }
      writeFileSync(journal, `${wanted}\n`);
    } else if (first !== wanted) {
      throw new InputError("--out", folder, `holds a capture of ${seedsOf(first)} with other settings`);
    }
    this.earlier = this.resume(lines.flatMap((line) => (parseJson(line) as Line | undefined) ?? []));
    this.nextSerial = this.warcNames().length;
    this.files = {
      log: openSync(this.path(logName), "a"),
      cdxj: openSync(this.path(unsortedName), "a"),
      journal: openSync(journal, "a"),
    };
  }

  /** Opens a WARC file. It has its name when it is complete. */
  async openWarc(filename: string): Promise<WarcFile> {
    const path = this.path(filename);
    const file = await open(path + openSuffix, "wx");
    return {
      append: (content) => file.appendFile(content),
      async close() {
        await file.close();
        renameSync(path + openSuffix, path);
      },
    };
  }

  /** Writes the lines about exchanges, whose records are written, and then enters them into the journal. */
  commit(exchanges: readonly CommittedExchange[]): void {
    const text = { log: "", cdxj: "", journal: "" };
    const add = (list: keyof typeof listNames, line: string) => {
      text[list] += `${line}\n`;
      this.sizes[list] += Buffer.byteLength(line) + 1;
    };
    for (const { entry, log, cdxj, end } of exchanges) {
      add("log", log);
      if (cdxj !== undefined) add("cdxj", cdxj);
      if (end !== undefined) {
        this.warcName = end.filename;
        this.sizes.warc = end.offset + end.length;
      }
      const line: Line = { ...entry, warcName: this.warcName, sizes: this.sizes };
      text.journal += `${JSON.stringify(line)}\n`;
    }
    for (const list of ["log", "cdxj", "journal"] as const) {
      if (text[list] !== "") writeSync(this.files[list], text[list]);
    }
  }

  /** Sorts the CDXJ of what is captured so far, and removes the bodies that were not written. */
  close(): void {
    for (const file of Object.values(this.files)) closeSync(file);
    rmSync(this.path("spool"), { recursive: true, force: true });
    const lines = sortCdxj(wholeLines(readFileSync(this.path(unsortedName), "utf8")));
    writeFileSync(this.path(cdxjName), lines.map((line) => `${line}\n`).join(""));
  }

  warcNames(): string[] {
    return readdirSync(this.folder).filter((name) => /\.warc\.gz$/.test(name));
  }

  /** Where a body stands until its records are written. */
  spoolPath(name: string): string {
    return this.path(join("spool", name));
  }

  private resume(lines: readonly Line[]): Line[] {
    const last = lines.at(-1);
    rmSync(this.path("spool"), { recursive: true, force: true });
    mkdirSync(this.path("spool"));
    for (const list of ["log", "cdxj"] as const) {
      this.sizes[list] = last?.sizes[list] ?? 0;
      const path = this.path(listNames[list]);
      if (existsSync(path)) truncateSync(path, this.sizes[list]);
    }
    for (const name of readdirSync(this.folder).filter((each) => warcPattern.test(each))) {
      const filename = name.replace(openSuffix, "");
      const isKnown = lines.some(({ warcName }) => warcName === filename);
      if (!isKnown) rmSync(this.path(name));
      else if (filename === last?.warcName) this.cut(name, last.sizes.warc);
    }
    return [...lines];
  }

  /** Cuts off what was written after the last entry. */
  private cut(name: string, sizeBytes: number): void {
    const path = this.path(name);
    if (statSync(path).size > sizeBytes) truncateSync(path, sizeBytes);
    renameSync(path, path.replace(/\.open$/, ""));
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

/** Without a last line that a killed process has not finished. */
function wholeLines(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

function seedsOf(plan: string): string {
  const { seeds = [] } = (parseJson(plan) as Partial<CapturePlan> | undefined) ?? {};
  return seeds.join(", ");
}
