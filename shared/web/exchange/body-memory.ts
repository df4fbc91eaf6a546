import { ThrottledError } from "../../core/errors.ts";

/** A body up to this size, as it arrives and as it is read, needs no place. */
export const smallBodyBytes = 1024 * 1024;

/** How long an exchange waits for a place. Most places are free again as soon as their body is stored. */
const maxWaitMs = 20_000;

/**
 * Limits the memory that the large bodies of a process take together, in places of one body each. A place is free again when
 * its body has been stored, whatever its owner waits for meanwhile: nobody waits in a circle.
 */
export class BodyMemory {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(places: number) {
    this.free = places;
  }

  /** The place of one body, which is not taken before the body is large. */
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
   * Takes the place, once: at once, or when the promise resolves.
   * @returns a rejection with a ThrottledError when none is free in time
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

  /** Gives the place back, if it was taken, or is taken later. The body must not be needed any more. */
  release(): void {
    this.isReleased = true;
    if (this.isTaken) this.memory.giveBack();
    this.isTaken = false;
  }
}

/** Why an exchange was abandoned that the host answers. */
export function noMemory(): ThrottledError {
  return new ThrottledError("no memory is free for a large body", new Date());
}
