import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import * as z from "zod";
import { InputError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";
import { asOutError } from "./out-folder.ts";

/** How far the file is. It is saved after the records that it counts. */
const checkpoint = z.strictObject({
  bytes: z.int().min(0),
  /** The entries of the input that are done. */
  done: z.int().min(0),
  dropped: z.int().min(0),
  /** The digest of the command and of these entries. */
  digest: z.string(),
});
type Checkpoint = z.output<typeof checkpoint>;
export type Progress = Omit<Checkpoint, "bytes">;

/**
 * The file of `--out`. Until it is complete, a checkpoint is beside it, as `FILE.unfinished`, with which the same
 * command continues after a stop, a kill or a full disk.
 */
export class ResumableFile {
  /** Where an unfinished file continues; undefined for a new file. */
  readonly resumed: Progress | undefined;
  private readonly path: string;
  private readonly file: number;
  /** The size of what is written and wanted. */
  private bytes = 0;

  /**
   * @param begun the progress of a new file
   * @throws InputError when the file exists and is complete, or cannot be created
   */
  constructor(path: string, begun: Progress) {
    this.path = path;
    const earlier = readCheckpoint(path);
    if (earlier === undefined) {
      if (existsSync(path)) throw new InputError("--out", path, "exists already");
      this.save(begun);
    }
    this.file = this.attempt(() => openSync(path, existsSync(path) ? "r+" : "wx"));
    if (earlier === undefined) return;
    const { bytes, ...progress } = earlier;
    if (fstatSync(this.file).size < bytes)
      throw new InputError(
        "--out",
        path,
        `is shorter than ${this.unfinished} says; delete both to start again`,
      );
    this.bytes = bytes;
    // Removes what a killed process wrote after its last checkpoint; it is written again.
    ftruncateSync(this.file, bytes);
    this.resumed = progress;
  }

  get isBegun(): boolean {
    return this.bytes > 0;
  }

  /**
   * Adds records, and saves how far the file is.
   * @throws InputError, with `--out` as its field, for example when the disk is full
   */
  write(records: Uint8Array, progress: Progress): void {
    this.add(records);
    this.save(progress);
  }

  /** Completes the file. */
  finish(ending: Uint8Array): void {
    this.add(ending);
    closeSync(this.file);
    rmSync(this.unfinished);
  }

  /** Ends an unfinished file so that it can be read. The checkpoint does not count the end, so it is overwritten. */
  stop(ending: Uint8Array): void {
    if (this.isBegun) {
      try {
        ftruncateSync(this.file, this.bytes);
        this.writeAt(ending, this.bytes);
      } catch {
        // The disk may be full. The same command can continue without the end.
      }
    }
    closeSync(this.file);
    if (this.isBegun) return;
    for (const path of [this.path, this.unfinished]) rmSync(path, { force: true });
  }

  private add(bytes: Uint8Array): void {
    this.attempt(() => this.writeAt(bytes, this.bytes));
    this.bytes += bytes.length;
  }

  private writeAt(bytes: Uint8Array, from: number): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at, bytes.length - at, from + at);
  }

  private save(progress: Progress): void {
    this.attempt(() => {
      writeFileSync(`${this.unfinished}.new`, JSON.stringify({ bytes: this.bytes, ...progress }));
      renameSync(`${this.unfinished}.new`, this.unfinished);
    });
  }

  private get unfinished(): string {
    return unfinishedOf(this.path);
  }

  private attempt<T>(work: () => T): T {
    return asOutError(this.path, work);
  }
}

/** @throws InputError */
function readCheckpoint(path: string): Checkpoint | undefined {
  const unfinished = unfinishedOf(path);
  if (!existsSync(unfinished)) return undefined;
  const parsed = checkpoint.safeParse(parseJson(readFileSync(unfinished, "utf8")));
  if (!parsed.success) throw new InputError("--out", path, `${unfinished} was not written by this command`);
  return parsed.data;
}

function unfinishedOf(path: string): string {
  return `${path}.unfinished`;
}
