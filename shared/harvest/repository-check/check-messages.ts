import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { parseInput } from "../../core/schema-problems.ts";
import type { Group } from "../../records/sources/group.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { loadBody } from "../load-body.ts";
import { beginCheckup, type CheckedRepository, type Checkup } from "./checkup.ts";
import { followCheckup, nextCheckRequest } from "./follow-checkup.ts";

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

const checkContext = z.object({ checkId: z.string(), place: z.int().nonnegative() });

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
  await ports.requests.send(requestsOf(check, now));
  return check;
}

/**
 * Reads the response to a request of a check, stores what it shows, and sends the next request. A repeated message sends that
 * again. Checks are kept for a day: the response to an older one changes nothing.
 */
export async function readRepositoryCheck(
  { request, outcome }: InboundResponse,
  ports: {
    repositoryChecks: Pick<RepositoryCheckStore, "get" | "advance">;
    bodies: BodyReader;
    requests: RequestQueue;
    clock: Pick<Clock, "now">;
  },
): Promise<void> {
  const { checkId, place } = parseInput(checkContext, request.context);
  const check = await ports.repositoryChecks.get(checkId);
  if (check === undefined || place > check.checkup.requests) return;
  const now = ports.clock.now();
  if (place < check.checkup.requests) return ports.requests.send(requestsOf(check, now));
  const body = await loadBody(outcome, ports.bodies);
  const next = { ...check, checkup: followCheckup(check.checkup, { outcome, body }, now) };
  if (await ports.repositoryChecks.advance(next, place)) await ports.requests.send(requestsOf(next, now));
}

/** The next request of a check; none at its end. */
function requestsOf({ checkId, userAgent, checkup }: RepositoryCheck, now: Date): NewRequest[] {
  const request = nextCheckRequest(checkup);
  if (request === undefined) return [];
  const place = checkup.requests;
  return [
    {
      id: digest("repository-check", checkId, String(place)),
      kind: "repository-check",
      ...request,
      userAgent,
      notAfter: new Date(now.getTime() + maxWaitMs).toISOString(),
      context: { checkId, place },
    },
  ];
}
