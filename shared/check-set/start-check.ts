import type { Clock } from "../core/clock.ts";
import { digest } from "../core/digest.ts";
import { type Ark, formatArk } from "../identifiers/ark.ts";
import type { NewRequest, RequestQueue } from "../web/request/request.ts";
import { type CheckResult, useHarvester } from "./check-result.ts";
import { type CheckRun, type CheckStore, isShared, pageMaxWaitMs } from "./check-run.ts";
import type { CheckedSet } from "./checked-set.ts";
import { countBegin, nextPageUrl } from "./count-set.ts";
import type { PublishedSets } from "./published-sets.ts";

/** The maximum number of runs that may be started in an hour, because a public check sends requests to other hosts. */
export interface CheckLimits {
  perCaller: number;
  inTotal: number;
}

export interface StartCheckPorts {
  checks: CheckStore;
  published: PublishedSets;
  requests: RequestQueue;
  clock: Clock;
}

type StartedCheck =
  | { type: "result"; result: CheckResult }
  | { type: "run"; run: CheckRun }
  | { type: "limited"; retryAfterSeconds: number };

const hourMs = 3_600_000;

/**
 * Starts a check, or joins a run of the same set and ARK. A set that has already been published is not read.
 * @param given.caller the caller, by which the limits count; absent for an operator, who has no limits
 * @throws RemoteError when the register of published sets does not respond
 */
export async function startCheck(
  { set, ark, caller }: { set: CheckedSet; ark?: Ark; caller?: string | undefined },
  limits: CheckLimits,
  ports: StartCheckPorts,
): Promise<StartedCheck> {
  if (await ports.published.isPublished(set)) return { type: "result", result: useHarvester };
  const shareKey = digest("check", set.firstPageUrl, ark === undefined ? "" : formatArk(ark));
  const latest = await ports.checks.latest(shareKey);
  const now = ports.clock.now();
  if (latest !== undefined && isShared(latest, now)) return { type: "run", run: await join(latest, ports) };
  if (caller !== undefined && !(await isWithinLimits(caller, limits, ports))) {
    return { type: "limited", retryAfterSeconds: Math.ceil((hourMs - (now.getTime() % hourMs)) / 1000) };
  }
  const startedAt = now.toISOString();
  const run: CheckRun = {
    // The id is the same for every caller and every repeat.
    checkId: digest("check-run", shareKey, latest?.checkId ?? ""),
    shareKey,
    set,
    ...(ark !== undefined && { ark: formatArk(ark) }),
    startedAt,
    updatedAt: startedAt,
    counted: countBegin,
  };
  if (await ports.checks.start(run, latest)) return { type: "run", run: await join(run, ports) };
  // Another request has started the same check meanwhile.
  const other = (await ports.checks.latest(shareKey)) ?? run;
  return { type: "run", run: await join(other, ports) };
}

/**
 * Requests the next page again, because the process that started the run may have been killed before the first request.
 * The queue drops a repeated request.
 */
async function join(run: CheckRun, { requests, clock }: StartCheckPorts): Promise<CheckRun> {
  if (run.counted.list.pages === 0 && run.result === undefined) {
    await requests.send([pageRequest(run, clock.now())]);
  }
  return run;
}

/** Builds the request for the next page of a run. */
export function pageRequest({ checkId, set, counted }: CheckRun, now: Date): NewRequest {
  const page = counted.list.pages;
  return {
    id: digest("check-page", checkId, String(page)),
    kind: "set-check",
    url: nextPageUrl(set, counted),
    notAfter: new Date(now.getTime() + pageMaxWaitMs).toISOString(),
    context: { checkId, page },
  };
}

async function isWithinLimits(
  caller: string,
  { perCaller, inTotal }: CheckLimits,
  { checks, clock }: StartCheckPorts,
): Promise<boolean> {
  const hour = clock.now().toISOString().slice(0, 13);
  if (!(await checks.countCheck({ caller: digest("caller", caller), hour, most: perCaller }))) return false;
  return checks.countCheck({ caller: "all", hour, most: inTotal });
}
