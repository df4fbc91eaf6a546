/** The part of a terminal that a live line uses. */
interface Terminal {
  write(text: string): unknown;
  columns?: number;
}

/** The last line of a terminal, which is rewritten repeatedly. Other lines are written above it. */
export class LiveLine {
  private readonly terminal: Terminal;
  private shown = "";

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  show(text: string): void {
    const line = text.slice(0, (this.terminal.columns || 80) - 1);
    if (line === this.shown) return;
    this.shown = line;
    this.terminal.write(`\r\x1b[K${line}`);
  }

  /** Removes the line, so that other lines can be written. The next `show` writes it again. */
  clear(): void {
    if (this.shown === "") return;
    this.shown = "";
    this.terminal.write("\r\x1b[K");
  }
}
