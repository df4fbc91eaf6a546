type Close = () => unknown;

const closers: Close[] = [];

/**
 * Calls it when the tests of the file are over, the last one first. Modules that several test files import use this instead of
 * a hook: their code runs once per process, so that a hook would serve only the first of the files that a process runs.
 */
export function afterFile(...close: Close[]): void {
  closers.push(...close);
}

/** Of the setup file, after each file. */
export async function closeFile(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
