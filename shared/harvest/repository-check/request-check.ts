import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { Group } from "../../records/sources/group.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import { beginCheckup, type CheckedRepository, type Checkup } from "./checkup.ts";
import { identifyRequest } from "./steps/identify.ts";

/** A check that an operator has asked for. */
export interface RepositoryCheck {
  checkId: string;
  groupId: string;
  userAgent: string;
  /** ISO 8601, UTC. */
  requestedAt: string;
  checkup: Checkup;
}

export interface RepositoryCheckStore {
  create(check: RepositoryCheck): Promise<void>;
  /** Stores the next state. @returns false when the response to that request has been read already */
  advance(check: RepositoryCheck, requestsBefore: number): Promise<boolean>;
  get(checkId: string): Promise<RepositoryCheck | undefined>;
}

/** A request waits for its turn at the host for so long at most: an operator waits, too. */
const maxWaitMs = 3_600_000;

export const checkContext = z.object({ checkId: z.string(), place: z.int().nonnegative() });

/** Begins a check. The gate may take a while: the result is fetched by the check's id. */
export async function requestRepositoryCheck(
  { asked, group }: { asked: CheckedRepository; group: Pick<Group, "groupId" | "userAgent"> },
  ports: {
    repositoryChecks: Pick<RepositoryCheckStore, "create">;
    requests: RequestQueue;
    clock: Pick<Clock, "now">;
    newId(): string;
  },
): Promise<RepositoryCheck> {
  const now = ports.clock.now();
  const { groupId, userAgent } = group;
  const check = {
    checkId: ports.newId(),
    groupId,
    userAgent,
    requestedAt: now.toISOString(),
    checkup: beginCheckup(asked),
  };
  await ports.repositoryChecks.create(check);
  await ports.requests.send([checkRequest(check, identifyRequest(check.checkup), now)]);
  return check;
}

/** A request of a check. Its place is the number of requests before it. */
export function checkRequest(
  { checkId, userAgent, checkup }: RepositoryCheck,
  request: Pick<NewRequest, "url">,
  now: Date,
): NewRequest {
  const place = checkup.requests;
  return {
    id: digest("repository-check", checkId, String(place)),
    kind: "repository-check",
    ...request,
    userAgent,
    notAfter: new Date(now.getTime() + maxWaitMs).toISOString(),
    context: { checkId, place } satisfies z.output<typeof checkContext>,
  };
}
