import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../../shared/core/errors.ts";
import { MarcXmlCollection } from "../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../shared/marc/record.ts";
import type { Validation } from "../../shared/validation/validate-record.ts";

const outcomes = ["valid", "online_first", "delinquent"] as const satisfies Validation["outcome"][];

/** Parts of the log are collected up to this size, as a write for each line would take longer than all else. */
const logPartCharacters = 65_536;

/**
 * Writes validated records to a folder as they come: MARCXML by outcome, and the reasons of the delinquent ones, a line each.
 * What cannot be written throws an InputError with `--out` as its field.
 */
export class OutcomeFiles {
  private readonly folder: string;
  private readonly files: Record<Validation["outcome"], { file: number; collection: MarcXmlCollection }>;
  private readonly log: number;
  private logged = "";

  /** @param input the file that the records come from, if any: it must not be overwritten */
  constructor(folder: string, input?: string) {
    this.folder = folder;
    const paths = outcomes.map((outcome) => join(folder, `${outcome}.xml`));
    if (input !== undefined && paths.some((path) => resolve(path) === resolve(input))) {
      throw new InputError("--out", folder, `would overwrite ${input}`);
    }
    const files = this.attempt(() => {
      mkdirSync(folder, { recursive: true });
      return outcomes.map((outcome, index) => [
        outcome,
        { file: openSync(paths[index] ?? "", "w"), collection: new MarcXmlCollection() },
      ]);
    });
    this.files = Object.fromEntries(files);
    this.log = this.attempt(() => openSync(join(folder, "delinquent.log"), "w"));
  }

  add(record: MarcRecord, outcome: Validation["outcome"]): void {
    const { file, collection } = this.files[outcome];
    const chunk = collection.add(record);
    if (chunk !== undefined) this.write(file, chunk);
  }

  addReasons(id: string, reasons: string[]): void {
    for (const reason of reasons) this.logged += `${id === "" ? "" : `${id}: `}${reason}\n`;
    if (this.logged.length > logPartCharacters) this.flushLog();
  }

  end(): void {
    for (const { file, collection } of Object.values(this.files)) {
      this.write(file, collection.end());
      closeSync(file);
    }
    this.flushLog();
    closeSync(this.log);
  }

  private flushLog(): void {
    this.write(this.log, Buffer.from(this.logged));
    this.logged = "";
  }

  private write(file: number, bytes: Uint8Array): void {
    this.attempt(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    });
  }

  private attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new InputError("--out", this.folder, error instanceof Error ? error.message : String(error));
    }
  }
}
