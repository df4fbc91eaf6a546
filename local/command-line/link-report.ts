import { pluralize } from "../../shared/core/pluralize.ts";
import type { LinkResult } from "../../shared/links/check/check-links.ts";
import type { Verdict } from "../../shared/links/check/verdict.ts";
import { describeRefusals } from "../../shared/links/report/describe-refusals.ts";
import { hostKeyOf } from "../../shared/web/address/host-key.ts";
import type { CommandIo } from "./command.ts";
import { printable } from "./printable.ts";
import { ProgressBar } from "./progress-bar.ts";

/**
 * Writes results as they arrive. A pipe gets one line each, a terminal a progress bar and the links that are not alive;
 * `json` writes one JSON object per line.
 */
export class LinkReport {
  private readonly io: CommandIo;
  private readonly options: { total: number; json: boolean; nowMs: () => number };
  private readonly bar: ProgressBar | undefined;
  private readonly startedAtMs: number;
  private readonly counts: Record<Verdict, number> = { alive: 0, broken: 0, inconclusive: 0 };
  /** The hosts that refuse their links, one entry per link. */
  private readonly refusedBy: string[] = [];

  constructor(io: CommandIo, options: { total: number; json: boolean; nowMs: () => number }) {
    this.io = io;
    this.options = options;
    this.startedAtMs = options.nowMs();
    this.bar = io.stderr.isTTY ? new ProgressBar(io.stderr, options) : undefined;
    this.bar?.update(0, "");
  }

  add(result: LinkResult): void {
    this.counts[result.verdict]++;
    if (result.notCounted === "refuses-us")
      this.refusedBy.push(hostKeyOf(result.hops.at(-1)?.url ?? result.url));
    if (this.options.json || !this.io.stdout.isTTY || result.verdict !== "alive") this.writeResult(result);
    this.bar?.update(this.done(), `${this.counts.broken} broken, ${this.counts.inconclusive} inconclusive`);
  }

  /** Writes the summary. @returns whether all links were checked and are alive */
  finish(): boolean {
    const { total, json, nowMs } = this.options;
    this.bar?.clear();
    const verdicts = Object.entries(this.counts).map(([verdict, count]) => `${count} ${verdict}`);
    const unchecked = total - this.done();
    if (unchecked > 0) verdicts.push(`${unchecked} not checked`);
    const seconds = ((nowMs() - this.startedAtMs) / 1000).toFixed(1);
    const summary = `${pluralize(total, "link")} in ${seconds} s: ${verdicts.join(", ")}`;
    const lines = [...describeRefusals(this.refusedBy).map(printable), summary];
    (json ? this.io.stderr : this.io.stdout).write(`${lines.join("\n")}\n`);
    return this.counts.alive === total;
  }

  private writeResult({ url, verdict, reason, hops, elapsedMs }: LinkResult): void {
    if (this.io.stdout.isTTY) this.bar?.clear();
    this.io.stdout.write(
      this.options.json
        ? `${JSON.stringify({ url, verdict, reason, hops, elapsedMs })}\n`
        : `${verdict.padEnd(12)} ${printable(url)}  ${printable([reason, ...warningsOf(hops)].join("; "))}\n`,
    );
  }

  private done(): number {
    return this.counts.alive + this.counts.broken + this.counts.inconclusive;
  }
}

/** What is wrong with the bytes of answers that were read tolerantly. */
function warningsOf(hops: LinkResult["hops"]): string[] {
  return hops.flatMap(({ warning }) => (warning === undefined ? [] : [warning]));
}
