import { setTimeout as sleep } from "node:timers/promises";
import type { LocalCloud } from "../cloud/cloud.ts";
import { FunctionError } from "../cloud/lambda/worker.ts";

/**
 * Invokes the function of a schedule at once and then periodically, from start to start, until the signal is
 * aborted. The function is invoked directly, because a schedule cannot be fired manually.
 */
export async function runOften(
  functionName: string,
  everyMs: number,
  { cloud, signal }: { cloud: Pick<LocalCloud, "invoke">; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const startedMs = Date.now();
    try {
      await cloud.invoke(functionName, { time: new Date(startedMs).toISOString() });
    } catch (error) {
      // The function has logged the error. The next invocation may succeed.
      if (!(error instanceof FunctionError)) throw error;
    }
    const leftMs = Math.max(0, startedMs + everyMs - Date.now());
    await sleep(leftMs, undefined, { signal }).catch(() => undefined);
  }
}
