import { pluralize } from "../../../shared/core/pluralize.ts";
import type { ValidationResult } from "../../../shared/deliver/validation/validate-record.ts";
import type { CommandIo } from "./command.ts";
import { printable } from "./printable.ts";
import { ProgressBar } from "./progress-bar.ts";

/** A record of a file, with its outcome. */
export interface ValidatedRecord {
  /** The content of field 001; empty if the field is absent. */
  id: string;
  /** The source name of a refused record; empty if it is unknown. */
  source: string;
  outcome: ValidationResult["outcome"];
  reasons: string[];
}

const mebibyte = 1_048_576;
/** The buffer size. One write per line took most of the run time. */
const partCharacters = 65_536;

/** Writes the refused records and a summary; `json` writes one JSON object per record. */
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
    // A pipe has no known size, so there is no bar.
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
    this.bar?.update(Math.floor(bytesRead / mebibyte), `MiB, ${this.counts.delinquent} refused`);
  }

  /** Writes the summary. Returns whether no record is refused. */
  finish(): boolean {
    this.flush();
    this.bar?.clear();
    const { json, nowMs } = this.options;
    const { valid, online_first, delinquent } = this.counts;
    const total = valid + online_first + delinquent;
    const seconds = ((nowMs() - this.startedAtMs) / 1000).toFixed(1);
    const summary = `${pluralize(total, "record")} in ${seconds} s: ${valid} valid, ${online_first} online-first, ${delinquent} refused\n`;
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
