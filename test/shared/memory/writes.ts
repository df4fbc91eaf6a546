import type { Write } from "../../../local/cli/memory/write.ts";

/** Where a test lets the process die. */
export class Killed extends Error {}

/** Counts writes, and lets the process die at the n-th, before it or after it is done. */
export class Writes {
  /** Writes left until the process dies; negative when it lives. */
  private left = -1;
  private dieBefore = false;

  dieAfter(writes: number, { before }: { before: boolean }): void {
    this.left = writes;
    this.dieBefore = before;
  }

  revive(): void {
    this.left = -1;
  }

  readonly write: Write = async (work) => {
    if (this.left === 0 && this.dieBefore) throw new Killed();
    const done = work();
    if (this.left === 0) throw new Killed();
    if (this.left > 0) this.left -= 1;
    return done;
  };

  /** The store, each of whose writes may be the last one. */
  killable<Store extends object>(store: Store, writes: (keyof Store)[]): Store {
    const mortal = { ...store };
    for (const name of writes) {
      const method = store[name] as (...given: unknown[]) => Promise<unknown>;
      mortal[name] = ((...given: unknown[]) => this.write(() => method(...given))) as Store[keyof Store];
    }
    return mortal;
  }
}
