type Close = () => unknown;

const closers: Close[] = [];

/**
 * Registers functions that are called after the tests of the file, the last one first. Modules that several
 * test files import use this instead of a hook, because their code runs once per process: a hook would apply
 * only to the first file that a process runs.
 */
export function afterFile(...close: Close[]): void {
  closers.push(...close);
}

/** Calls the registered functions. The setup file calls this after each file. */
export async function closeFile(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}
