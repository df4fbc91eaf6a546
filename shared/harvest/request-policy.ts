import type { Run } from "../runs/run.ts";
import type { Group } from "../sources/group.ts";
import type { Source } from "../sources/source.ts";
import type { NewRequest } from "../web/gate/request.ts";

/** What the requests of a source have in common. */
export type RequestPolicy = Pick<NewRequest, "throttleMs" | "userAgent" | "obeyRobots" | "notAfter">;

/** How the hosts of a source are asked in a run: not after its deadline, as nobody reads the answer then. */
export function requestPolicyFor(
  source: Source,
  { userAgent }: Group,
  { deadlineAt }: Pick<Run, "deadlineAt">,
): RequestPolicy {
  const { throttleMs, obeyRobots } = source;
  return pickRequestPolicy({ throttleMs, userAgent, obeyRobots, notAfter: deadlineAt });
}

/** The request policy of a request, for those that it leads to. */
export function pickRequestPolicy({
  throttleMs,
  userAgent,
  obeyRobots,
  notAfter,
}: RequestPolicy): RequestPolicy {
  return {
    ...(throttleMs !== undefined && { throttleMs }),
    ...(userAgent !== undefined && { userAgent }),
    ...(obeyRobots !== undefined && { obeyRobots }),
    ...(notAfter !== undefined && { notAfter }),
  };
}
