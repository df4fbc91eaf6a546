import type { Clock } from "../../core/clock.ts";
import { parseInput } from "../../core/schema-problems.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { loadBody } from "../load-body.ts";
import { followCheckup, nextCheckRequest } from "./follow-checkup.ts";
import {
  checkContext,
  checkRequest,
  type RepositoryCheck,
  type RepositoryCheckStore,
} from "./request-check.ts";

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
  if (place < check.checkup.requests) return ports.requests.send(nextRequests(check, now));
  const body = await loadBody(outcome, ports.bodies);
  const next = { ...check, checkup: followCheckup(check.checkup, { outcome, body }, now) };
  if (await ports.repositoryChecks.advance(next, place)) await ports.requests.send(nextRequests(next, now));
}

/** The next request of a check; none at its end. */
function nextRequests(check: RepositoryCheck, now: Date): NewRequest[] {
  const request = nextCheckRequest(check.checkup);
  return request === undefined ? [] : [checkRequest(check, request, now)];
}
