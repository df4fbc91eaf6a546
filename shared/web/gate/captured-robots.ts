import { bodyOfCapture } from "../exchange/captured-body.ts";
import type { ExchangeOutcome, StoreMode } from "../exchange/exchange.ts";
import { maxRobotsBytes } from "../robots/robots.ts";

/** The size of the largest head, plus one byte more than the part of a robots.txt that is evaluated. */
const maxStartBytes = 64 * 1024 + maxRobotsBytes + 1;

/** Stores the responses to requests for robots.txt that are made for a capture. */
export interface KeepRobots {
  /** Returns the store for a response. */
  mode(): StoreMode;
  /** Reports where a response is stored. @param url the URL that responded */
  keep(url: string, outcome: ExchangeOutcome): Promise<void>;
}

/** A robots.txt that is both stored as it is received and read. */
export class CapturedRobots {
  /** The store for the response. */
  readonly mode: StoreMode;
  private pieces: Uint8Array[] = [];
  private size = 0;

  /** @param mode the store for the capture. Its size limit never cuts the part that is evaluated */
  constructor(mode: StoreMode) {
    this.mode = {
      ...mode,
      maxBytes: Math.max(mode.maxBytes, maxStartBytes + 1),
      store: (content) => mode.store(this.kept(content)),
    };
  }

  /**
   * Returns the outcome with the body from which the rules are read.
   * @returns undefined when a part of the body that would be evaluated is missing, or when the body is compressed and
   * too long
   */
  async outcome(exchange: ExchangeOutcome): Promise<ExchangeOutcome | undefined> {
    if (exchange.type !== "answered" || exchange.status >= 300) return exchange;
    const isCut = this.size > maxStartBytes;
    const { bodyProblem, ...answer } = exchange;
    if (isCut ? "content-encoding" in answer.headers : bodyProblem !== undefined) return undefined;
    return { ...answer, body: await bodyOfCapture(Buffer.concat(this.pieces)) };
  }

  /**
   * Returns the same for a response that is not requested again. If its body cannot be read, the outcome has a body
   * problem.
   */
  async read(exchange: ExchangeOutcome): Promise<ExchangeOutcome> {
    const read = await this.outcome(exchange);
    if (read !== undefined || exchange.type !== "answered") return read ?? exchange;
    const bodyProblem = {
      reason: "body-too-large",
      detail: "the robots.txt is compressed and too long",
    } as const;
    return { bodyProblem, ...exchange };
  }

  private async *kept(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    // A repeated attempt replaces the pieces of the earlier one.
    this.pieces = [];
    this.size = 0;
    for await (const piece of content) {
      if (this.size <= maxStartBytes) this.pieces.push(piece);
      this.size += piece.byteLength;
      yield piece;
    }
  }
}
