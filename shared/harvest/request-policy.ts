import type { Run } from "../records/runs/run.ts";
import type { Group } from "../records/sources/group.ts";
import type { Source } from "../records/sources/source.ts";
import type { NewRequest } from "../web/request/request.ts";

/** The settings that all requests of a source share. */
export type RequestPolicy = Pick<NewRequest, "throttleMs" | "userAgent" | "obeyRobots" | "notAfter">;

/**
 * Returns the policy of a source's requests in a run. No request is sent after the run's deadline, because nobody would
 * read the response.
 */
export function requestPolicyFor(
  source: Source,
  { userAgent }: Group,
  { deadlineAt }: Pick<Run, "deadlineAt">,
): RequestPolicy {
  const { throttleMs, obeyRobots } = source;
  return pickRequestPolicy({ throttleMs, userAgent, obeyRobots, notAfter: deadlineAt });
}

/** Returns the policy of a request, for its follow-up requests. */
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
