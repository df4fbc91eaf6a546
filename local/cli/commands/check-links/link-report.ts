import { pluralize } from "../../../../shared/core/pluralize.ts";
import { describeRefusals } from "../../../../shared/links/report/describe-refusals.ts";
import type { Verdict } from "../../../../shared/links/verdict/verdict.ts";
import { hostKeyOf } from "../../../../shared/web/address/host-key.ts";
import { colored } from "../../../colors.ts";
import { BatchedOutput } from "../batched-output.ts";
import type { CommandIo } from "../command.ts";
import { printable } from "../printable.ts";
import { ProgressBar } from "../progress-bar.ts";
import type { LinkOutput, ReportedLink } from "./formats/link-output.ts";
import { createOutput, type OutputFormatName } from "./formats/output-formats.ts";

const verdictColors = { alive: "green", broken: "red", inconclusive: "yellow" } as const;

interface LinkReportOptions {
  format: OutputFormatName;
  total: number;
  nowMs: () => number;
}

/**
 * Writes results as they arrive, in the chosen format.
 * In text format, a terminal shows a progress bar and only the links that are not alive. In other formats,
 * the summary goes to standard error.
 */
export class LinkReport {
  private readonly io: CommandIo;
  private readonly output: LinkOutput;
  private readonly batch: BatchedOutput;
  private readonly isText: boolean;
  private readonly nowMs: () => number;
  private readonly bar: ProgressBar | undefined;
  private readonly startedAtMs: number;
  private total: number;
  private readonly counts: Record<Verdict, number> = { alive: 0, broken: 0, inconclusive: 0 };
  /** The host keys of links whose host refuses requests of this program, one entry per link. */
  private readonly refusedBy: string[] = [];

  constructor(io: CommandIo, { format, total, nowMs }: LinkReportOptions) {
    this.io = io;
    this.output = createOutput(format, (text, verdict) => colored(verdictColors[verdict], text, io.stdout));
    this.batch = new BatchedOutput(io.stdout);
    this.isText = format === "text";
    this.nowMs = nowMs;
    this.startedAtMs = nowMs();
    this.total = total;
    this.bar = io.stderr.isTTY ? new ProgressBar(io.stderr, { total, nowMs }) : undefined;
    this.bar?.update(0, "");
  }

  /** Shows the progress of a crawl while the number of links is still unknown. */
  showCrawl(pages: number, links: number): void {
    this.bar?.note(`${pluralize(pages, "response")} of the site, ${pluralize(links, "link")} found`);
  }

  /** Sets the number of links after a crawl has found them all. */
  expect(total: number): void {
    this.total = total;
    this.bar?.expect(total);
  }

  add(link: ReportedLink): void {
    this.counts[link.verdict]++;
    if (link.notCounted === "refuses-us") this.refusedBy.push(hostKeyOf(link.hops.at(-1)?.url ?? link.url));
    const isShown = !this.isText || !this.io.stdout.isTTY || link.verdict !== "alive";
    if (isShown) this.write(this.output.add(link));
    this.bar?.update(this.done(), `${this.counts.broken} broken, ${this.counts.inconclusive} inconclusive`);
  }

  /** Writes the summary. @returns whether all links were checked and are alive */
  finish(): boolean {
    const { total, counts } = this;
    this.bar?.clear();
    const tookMs = this.nowMs() - this.startedAtMs;
    this.write(this.output.finish({ tookMs, counts }));
    const verdicts = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
    const unchecked = total - this.done();
    if (unchecked > 0) verdicts.push(`${unchecked} not checked`);
    const summary = `${pluralize(total, "link")} in ${(tookMs / 1000).toFixed(1)} s: ${verdicts.join(", ")}`;
    this.batch.flush();
    const lines = [...describeRefusals(this.refusedBy).map(printable), summary];
    (this.isText ? this.io.stdout : this.io.stderr).write(`${lines.join("\n")}\n`);
    return counts.alive === total;
  }

  private write(text: string): void {
    if (text === "") return;
    if (this.io.stdout.isTTY) this.bar?.clear();
    this.batch.write(text);
    // Flushes now, because the bar is drawn again after this text.
    if (this.io.stdout.isTTY) this.batch.flush();
  }

  private done(): number {
    return this.counts.alive + this.counts.broken + this.counts.inconclusive;
  }
}
