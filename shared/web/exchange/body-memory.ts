import { ThrottledError } from "../../core/errors.ts";

/** A body up to this size, compressed and decompressed, needs no place. */
export const smallBodyBytes = 1024 * 1024;

/** The longest wait of an exchange for a place. Most places are free again as soon as their body is stored. */
const maxWaitMs = 20_000;

/**
 * Limits the memory that all large bodies of a process take together. The memory is divided into places of one body
 * each. A place is released as soon as its body has been stored, even if its owner waits for something else. A deadlock
 * is therefore impossible.
 */
export class BodyMemory {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(places: number) {
    this.free = places;
  }

  /** Returns the place of one body. The place is not taken before the body has become large. */
  open(): BodyPlace {
    return new BodyPlace(this);
  }

  tryTake(): boolean {
    if (this.free === 0) return false;
    this.free--;
    return true;
  }

  /** @throws ThrottledError when no place is free in time */
  async waitForOne(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.waiting.push(resolve);
    const timer = setTimeout(() => {
      this.waiting.splice(this.waiting.indexOf(resolve), 1);
      reject(noMemory());
    }, maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  giveBack(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}

/** The place of one body. */
export class BodyPlace {
  private readonly memory: BodyMemory;
  private isTaken = false;
  private isReleased = false;
  private waiting: Promise<void> | undefined;

  constructor(memory: BodyMemory) {
    this.memory = memory;
  }

  /**
   * Takes the place unless it is taken already: immediately, or when the returned promise resolves.
   * @returns a promise that rejects with a ThrottledError when no place becomes free in time; undefined when the place
   * is taken immediately
   */
  take(): Promise<void> | undefined {
    if (this.waiting !== undefined || this.isTaken) return this.waiting;
    this.isTaken = this.memory.tryTake();
    if (this.isTaken) return undefined;
    this.waiting = this.memory.waitForOne().then(() => {
      this.waiting = undefined;
      if (this.isReleased) this.memory.giveBack();
      else this.isTaken = true;
    });
    return this.waiting;
  }

  /** Releases the place: now if it was taken, or as soon as it is taken. The body must no longer be needed. */
  release(): void {
    this.isReleased = true;
    if (this.isTaken) this.memory.giveBack();
    this.isTaken = false;
  }
}

/** Returns the error of an exchange that was abandoned because no memory was free. */
export function noMemory(): ThrottledError {
  return new ThrottledError("no memory is free for a large body", new Date());
}
