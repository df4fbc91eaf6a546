import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const name = /^bundles-(\d+)$/;

/**
 * Does work with a folder for bundles that no other synthesis uses, and then removes the folder. Also removes
 * the folders of killed syntheses. All folders have the same depth, because source maps name the sources
 * relative to their folder and are deployed.
 * @param parent the folder in which the new folder is created
 */
export async function inBundlesFolder(
  parent: string,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = join(parent, `bundles-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const abandoned = readdirSync(parent).filter((each) =>
    hasEnded(Number(name.exec(each)?.[1] ?? process.pid)),
  );
  for (const each of abandoned) rmSync(join(parent, each), { recursive: true, force: true });
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns whether a process has ended. A process of another user counts as running. */
function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
