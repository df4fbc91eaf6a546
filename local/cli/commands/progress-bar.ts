import { describeTimeLeft } from "../../time-left.ts";
import type { Output } from "./command.ts";

const barWidth = 16;

/** The minimum time between redraws; faster redraws flicker. */
const redrawMs = 100;

/** Draws a progress bar on the last line of a terminal, with the caller's text beside it. */
export class ProgressBar {
  private readonly terminal: Output;
  private total: number;
  private readonly nowMs: () => number;
  private readonly startedAtMs: number;
  private drawnAtMs = Number.NEGATIVE_INFINITY;

  constructor(terminal: Output, options: { total: number; nowMs: () => number }) {
    this.terminal = terminal;
    this.total = options.total;
    this.nowMs = options.nowMs;
    this.startedAtMs = options.nowMs();
  }

  update(done: number, note: string): void {
    const nowMs = this.nowMs();
    if (nowMs - this.drawnAtMs < redrawMs && done < this.total) return;
    this.drawnAtMs = nowMs;
    const line = [this.bar(done), `${done}/${this.total}`, note, this.timeLeft(done, nowMs)].join("  ");
    this.terminal.write(`\r\x1b[K${line.slice(0, (this.terminal.columns || 80) - 1)}`);
  }

  /** Sets a total that was not known before. */
  expect(total: number): void {
    this.total = total;
  }

  /** Shows a text without a bar, while the total is unknown. */
  note(text: string): void {
    const nowMs = this.nowMs();
    if (nowMs - this.drawnAtMs < redrawMs) return;
    this.drawnAtMs = nowMs;
    this.terminal.write(`\r\x1b[K${text.slice(0, (this.terminal.columns || 80) - 1)}`);
  }

  /** Clears the bar so that lines can be written. The next update redraws it. */
  clear(): void {
    this.terminal.write("\r\x1b[K");
    this.drawnAtMs = Number.NEGATIVE_INFINITY;
  }

  private bar(done: number): string {
    const filled = Math.floor((barWidth * done) / Math.max(1, this.total));
    return `[${"#".repeat(filled)}${".".repeat(barWidth - filled)}]`;
  }

  private timeLeft(done: number, nowMs: number): string {
    return describeTimeLeft({ done, total: this.total, tookMs: nowMs - this.startedAtMs });
  }
}
