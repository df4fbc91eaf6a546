/** A process that is killed at a step. */
export class Killed extends Error {}

/** Waits for its turn. Each access to what the processes share is a step. */
export type Step = () => Promise<void>;

/** The choices of a run, one run after another, until each sequence of choices was made. */
export class Choices {
  private readonly made: { choice: number; of: number }[] = [];
  private at = 0;

  choose(of: number): number {
    if (this.at === this.made.length) this.made.push({ choice: 0, of });
    return this.made[this.at++]?.choice ?? 0;
  }

  /** Goes on to the next sequence. @returns false after the last one */
  next(): boolean {
    this.at = 0;
    for (let last = this.made.at(-1); last !== undefined; last = this.made.at(-1)) {
      if (++last.choice < last.of) return true;
      this.made.pop();
    }
    return false;
  }
}

/**
 * Runs processes at once, in the order of steps that the choices say.
 * @param kills the number of processes that may be killed, each before one of its steps
 * @returns what they returned, or `killed`
 */
export async function runAtOnce<Result>(
  processes: readonly ((step: Step) => Promise<Result>)[],
  choices: Choices,
  kills = 0,
): Promise<(Result | "killed")[]> {
  const waiting = new Map<number, { go(): void; die(error: Error): void }>();
  const results: (Result | "killed")[] = [];
  let running = 0;
  let rest = Promise.withResolvers<void>();
  const stopped = () => {
    running -= 1;
    if (running === 0) rest.resolve();
  };
  const start = async (process: (typeof processes)[number], index: number) => {
    running += 1;
    const step = () =>
      new Promise<void>((go, die) => {
        waiting.set(index, { go, die });
        stopped();
      });
    try {
      results[index] = await process(step);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      results[index] = "killed";
    }
    stopped();
  };
  const ended = Promise.all(processes.map(start));
  ended.catch(rest.reject);
  await rest.promise;
  while (waiting.size > 0) {
    const order = [...waiting.keys()].sort((a, b) => a - b);
    const choice = choices.choose(order.length * (kills > 0 ? 2 : 1));
    const index = order[choice % order.length] ?? 0;
    const turn = waiting.get(index);
    waiting.delete(index);
    running += 1;
    rest = Promise.withResolvers();
    ended.catch(rest.reject);
    if (choice < order.length) turn?.go();
    else {
      kills -= 1;
      turn?.die(new Killed());
    }
    await rest.promise;
  }
  await ended;
  return results;
}
