import { bodyOfCapture } from "../exchange/captured-body.ts";
import type { ExchangeOutcome, StoreMode } from "../exchange/exchange.ts";
import { maxRobotsBytes } from "../robots/robots.ts";

/** The largest head, and one byte more than is evaluated. */
const maxStartBytes = 64 * 1024 + maxRobotsBytes + 1;

/** Keeps the requests for robots.txt that are made for a capture. */
export interface KeepRobots {
  /** Stores an answer. */
  mode(): StoreMode;
  /** Passes on where an answer is stored. @param url that answered */
  keep(url: string, outcome: ExchangeOutcome): Promise<void>;
}

/** A robots.txt that is stored as it comes, and read, too. */
export class CapturedRobots {
  /** Stores the response. */
  readonly mode: StoreMode;
  private pieces: Uint8Array[] = [];
  private size = 0;

  /** @param mode its limit applies to what is not evaluated */
  constructor(mode: StoreMode) {
    this.mode = {
      ...mode,
      maxBytes: Math.max(mode.maxBytes, maxStartBytes + 1),
      store: (content) => mode.store(this.kept(content)),
    };
  }

  /**
   * The outcome with the body that the lookup of rules reads; undefined when the body did not come as far as it is
   * evaluated, or is compressed and longer.
   */
  async outcome(exchange: ExchangeOutcome): Promise<ExchangeOutcome | undefined> {
    if (exchange.type !== "answered" || exchange.status >= 300) return exchange;
    const isCut = this.size > maxStartBytes;
    const { bodyProblem, ...answer } = exchange;
    if (isCut ? "content-encoding" in answer.headers : bodyProblem !== undefined) return undefined;
    return { ...answer, body: await bodyOfCapture(Buffer.concat(this.pieces)) };
  }

  /** The same for one that is not requested again: what cannot be read is a problem with its body. */
  async read(exchange: ExchangeOutcome): Promise<ExchangeOutcome> {
    const read = await this.outcome(exchange);
    if (read !== undefined || exchange.type !== "answered") return read ?? exchange;
    const bodyProblem = { reason: "body-too-large", detail: "it is compressed and too long" } as const;
    return { bodyProblem, ...exchange };
  }

  private async *kept(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    // An earlier attempt is replaced.
    this.pieces = [];
    this.size = 0;
    for await (const piece of content) {
      if (this.size <= maxStartBytes) this.pieces.push(piece);
      this.size += piece.byteLength;
      yield piece;
    }
  }
}
