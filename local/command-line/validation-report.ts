import { pluralize } from "../../shared/core/pluralize.ts";
import type { ValidationResult } from "../../shared/validation/validate-record.ts";
import type { CommandIo } from "./command.ts";
import { printable } from "./printable.ts";
import { ProgressBar } from "./progress-bar.ts";

/** One record of a file, and what was decided of it. */
export interface ValidatedRecord {
  /** Its 001; empty when it has none. */
  id: string;
  /** The name of the source of a delinquent one; empty when that is not known. */
  source: string;
  outcome: ValidationResult["outcome"];
  reasons: string[];
}

const mebibyte = 1_048_576;
/** Lines are written together, as a write for each would take longer than all else. */
const partCharacters = 65_536;

/** Writes what becomes of records: the delinquent ones and a summary; with `json` one JSON object for every record. */
export class ValidationReport {
  private readonly io: CommandIo;
  private readonly options: { json: boolean; sizeBytes: number; nowMs: () => number };
  private readonly bar: ProgressBar | undefined;
  private readonly startedAtMs: number;
  private readonly counts: Record<ValidationResult["outcome"], number> = {
    valid: 0,
    online_first: 0,
    delinquent: 0,
  };
  private lines = "";

  constructor(io: CommandIo, options: { json: boolean; sizeBytes: number; nowMs: () => number }) {
    this.io = io;
    this.options = options;
    this.startedAtMs = options.nowMs();
    const total = Math.ceil(options.sizeBytes / mebibyte);
    // How much a pipe will give is not known.
    const hasBar = io.stderr.isTTY && total > 0;
    this.bar = hasBar ? new ProgressBar(io.stderr, { total, nowMs: options.nowMs }) : undefined;
  }

  add({ id, source, outcome, reasons }: ValidatedRecord, bytesRead: number): void {
    this.counts[outcome]++;
    if (this.options.json) this.lines += `${JSON.stringify({ id, outcome, reasons })}\n`;
    else if (outcome === "delinquent") {
      const who = [id, source === "" ? "" : `(${source})`].filter((part) => part !== "").join(" ");
      const parts = ["delinquent", who, reasons.join("; ")].filter((part) => part !== "");
      this.lines += `${printable(parts.join("  "))}\n`;
    }
    if (this.lines.length > partCharacters || this.io.stdout.isTTY) this.flush();
    this.bar?.update(Math.floor(bytesRead / mebibyte), `MiB, ${this.counts.delinquent} delinquent`);
  }

  /** Writes the summary, and tells whether no record is delinquent. */
  finish(): boolean {
    this.flush();
    this.bar?.clear();
    const { json, nowMs } = this.options;
    const { valid, online_first, delinquent } = this.counts;
    const total = valid + online_first + delinquent;
    const seconds = ((nowMs() - this.startedAtMs) / 1000).toFixed(1);
    const summary = `${pluralize(total, "record")} in ${seconds} s: ${valid} valid, ${online_first} online-first, ${delinquent} delinquent\n`;
    (json ? this.io.stderr : this.io.stdout).write(summary);
    return delinquent === 0;
  }

  private flush(): void {
    if (this.lines === "") return;
    this.bar?.clear();
    this.io.stdout.write(this.lines);
    this.lines = "";
  }
}
