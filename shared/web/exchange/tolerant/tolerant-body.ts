import type { Framing } from "./framing.ts";

/** The reason why the rest of a body cannot be read. */
class InvalidBody extends Error {}

/** The longest line. Longer chunk extensions and trailers are treated as an attack. */
const maxLineBytes = 16 * 1024;

const lf = 0x0a;

type State = "size" | "data" | "data-end" | "trailer" | "done";

/**
 * Finds the content of a body in its bytes. The lines of chunks may end with LF, and spaces may follow a chunk size. A
 * chunk size that is not a hexadecimal number is invalid.
 * @see https://www.rfc-editor.org/rfc/rfc9112#name-chunked-transfer-coding
 */
export class TolerantBody {
  /** The rules that the body breaks, for people. */
  readonly warnings = new Set<string>();
  /** The number of bytes of the last call that came after the end of the body. */
  surplusBytes = 0;
  private readonly framing: Framing;
  private state: State;
  /** The number of bytes of the body, or of the current chunk, that have not arrived. */
  private left: number;
  private line = "";
  private trailerBytes = 0;

  constructor(framing: Framing) {
    this.framing = framing;
    this.left = framing.type === "length" ? framing.bytes : Number.POSITIVE_INFINITY;
    this.state = framing.type === "chunked" ? "size" : "data";
    if (framing.type === "none" || this.left === 0) this.state = "done";
  }

  /** Whether the whole body has arrived. */
  get isComplete(): boolean {
    return this.state === "done";
  }

  /** Whether the body ends when the connection ends. */
  get endsWithConnection(): boolean {
    return this.framing.type === "until-close";
  }

  /** Passes on the pieces of content in the next bytes. @returns why the body is invalid; undefined when it is valid */
  add(bytes: Buffer, onContent: (content: Buffer) => void): string | undefined {
    try {
      let at = 0;
      while (at < bytes.byteLength && this.state !== "done") at = this.step(bytes, at, onContent);
      this.surplusBytes = bytes.byteLength - at;
      return undefined;
    } catch (error) {
      if (error instanceof InvalidBody) return error.message;
      throw error;
    }
  }

  /** @returns the index of the next byte to read */
  private step(bytes: Buffer, at: number, onContent: (content: Buffer) => void): number {
    if (this.state !== "data") return this.readLine(bytes, at);
    const end = Math.min(bytes.byteLength, at + this.left);
    this.left -= end - at;
    if (this.left === 0) this.state = this.framing.type === "chunked" ? "data-end" : "done";
    onContent(bytes.subarray(at, end));
    return end;
  }

  private readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(lf, at);
    const stop = end === -1 ? bytes.byteLength : end;
    // If data continues beyond the size of its chunk, the rest would otherwise be collected as a line.
    const longest = this.state === "data-end" ? 1 : maxLineBytes;
    if (this.line.length + stop - at > longest) throw new InvalidBody("a line of a chunk is too long");
    this.line += bytes.toString("latin1", at, stop);
    if (end === -1) return stop;
    const line = this.line;
    this.line = "";
    const hasCr = line.endsWith("\r");
    if (!hasCr) this.warnings.add("lines of chunks end with LF");
    this.endLine(hasCr ? line.slice(0, -1) : line);
    return end + 1;
  }

  private endLine(line: string): void {
    if (this.state === "size") this.startChunk(line);
    else if (this.state === "trailer") this.endTrailer(line);
    else if (line === "") this.state = "size";
    else throw new InvalidBody("a chunk is longer than its size");
  }

  private startChunk(line: string): void {
    const [, digits, spaces = ""] = /^([0-9a-f]{1,13})([ \t]*)(?:;.*)?$/i.exec(line) ?? [];
    if (digits === undefined) throw new InvalidBody("a chunk has no valid size");
    if (spaces !== "") this.warnings.add("spaces follow the size of a chunk");
    this.left = Number.parseInt(digits, 16);
    this.state = this.left === 0 ? "trailer" : "data";
  }

  private endTrailer(line: string): void {
    this.trailerBytes += line.length;
    if (this.trailerBytes > maxLineBytes) throw new InvalidBody("its trailers are too long");
    if (line === "") this.state = "done";
  }
}
