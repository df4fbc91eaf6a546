import { setTimeout as sleep } from "node:timers/promises";
import { functionNames } from "../../shared/names.ts";
import type { NetworkFlag, NetworkState } from "../../shared/web/network/probe-network.ts";
import type { LocalCloud } from "../cloud/cloud.ts";
import { runOften } from "./run-often.ts";

/** The time from the start of a probe to the start of the next; 5 minutes in production. */
const probeEveryMs = 30_000;
const pollIntervalMs = 1000;

/**
 * Probes Ingather's network more often than in production, and prints each change of its flag, until the
 * signal is aborted.
 */
export async function watchNetwork(options: {
  cloud: Pick<LocalCloud, "invoke">;
  flag: Pick<NetworkFlag, "get">;
  print: (line: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  await Promise.all([
    runOften(functionNames.probeNetwork, probeEveryMs, options),
    printChanges(pollIntervalMs, options),
  ]);
}

/** Prints each change of the flag. An earlier start may have set it to down. */
export async function printChanges(
  everyMs: number,
  {
    flag,
    print,
    signal,
  }: { flag: Pick<NetworkFlag, "get">; print: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  let shown: NetworkState["state"] = "up";
  while (!signal.aborted) {
    const now = await flag.get();
    if (now !== undefined && now.state !== shown) {
      print(describeNetwork(now));
      shown = now.state;
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

function describeNetwork({ state, since, why }: NetworkState): string {
  return state === "down"
    ? `Our network has been down since ${since}: ${why}. Until it is up, nothing is requested or judged.`
    : `Our network has been up since ${since}: ${why}.`;
}
