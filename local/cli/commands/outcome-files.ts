import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "../../../shared/core/errors.ts";
import { oneLine } from "../../../shared/core/one-line.ts";
import type { ValidationResult } from "../../../shared/deliver/validation/validate-record.ts";
import { MarcXmlCollection } from "../../../shared/marc/marcxml-writer.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import { asOutError, createOutFolder } from "./out-folder.ts";

const outcomes = ["valid", "online_first", "delinquent"] as const satisfies ValidationResult["outcome"][];

/** The buffer size of the log. One write per line took most of the run time. */
const logPartCharacters = 65_536;

/**
 * Writes validated records to a folder as they arrive: one MARCXML file per outcome, and a log of one line per reason.
 * A failed write throws an InputError with `--out` as its field.
 */
export class OutcomeFiles {
  private readonly folder: string;
  private readonly files: Record<
    ValidationResult["outcome"],
    { file: number; collection: MarcXmlCollection }
  >;
  private readonly log: number;
  private logged = "";

  /** @param input the file that the records come from, if any; overwriting it is refused */
  constructor(folder: string, input?: string) {
    this.folder = folder;
    const paths = outcomes.map((outcome) => join(folder, `${outcome}.xml`));
    if (input !== undefined && paths.some((path) => resolve(path) === resolve(input))) {
      throw new InputError("--out", folder, `would overwrite ${input}`);
    }
    createOutFolder(folder);
    const files = this.attempt(() =>
      outcomes.map((outcome, index) => [
        outcome,
        { file: openSync(paths[index] ?? "", "w"), collection: new MarcXmlCollection() },
      ]),
    );
    this.files = Object.fromEntries(files);
    this.log = this.attempt(() => openSync(join(folder, "delinquent.log"), "w"));
  }

  add(record: MarcRecord, outcome: ValidationResult["outcome"]): void {
    const { file, collection } = this.files[outcome];
    const chunk = collection.add(record);
    if (chunk !== undefined) this.write(file, chunk);
  }

  /** Formats one line per reason. Control characters in the id do not break the line. */
  addReasons(id: string, reasons: string[]): void {
    for (const reason of reasons) this.logged += `${oneLine(id === "" ? reason : `${id}: ${reason}`)}\n`;
    if (this.logged.length > logPartCharacters) this.flushLog();
  }

  /** Writes a text file beside the records. */
  addText(name: string, text: string): void {
    this.attempt(() => writeFileSync(join(this.folder, name), text));
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
    return asOutError(this.folder, work);
  }
}
