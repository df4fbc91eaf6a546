import * as z from "zod";
import type { Clock } from "../core/clock.ts";
import { InputError } from "../core/errors.ts";
import { parseInput } from "../core/schema-problems.ts";
import { parseArk } from "../identifiers/ark.ts";
import type { BodyReader } from "../web/gate/bodies.ts";
import type { RequestQueue } from "../web/request/request.ts";
import type { InboundResponse } from "../web/request/response.ts";
import { checkError } from "./check-result.ts";
import type { CheckRun, CheckStore } from "./check-run.ts";
import { countPage } from "./count-set.ts";
import { pageRequest } from "./start-check.ts";

const checkContext = z.object({ checkId: z.string(), page: z.int().min(0) });

/** The maximum length of a URL that the gate accepts. */
const maxUrlChars = 8192;

/**
 * Counts the records of a page, stores the count, and requests the next page. A repeated message counts nothing twice,
 * and sends the same request again.
 * @throws InputError for a run that does not exist
 */
export async function readCheckedPage(
  response: InboundResponse,
  ports: {
    checks: Pick<CheckStore, "get" | "advance">;
    bodies: BodyReader;
    requests: RequestQueue;
    clock: Clock;
  },
): Promise<void> {
  const { checkId, page } = parseInput(checkContext, response.request.context);
  const run = await ports.checks.get(checkId);
  if (run === undefined) throw new InputError("checkId", checkId, "there is no such check");
  if (run.result !== undefined) return;
  if (page > run.counted.list.pages)
    throw new InputError("page", page, "the previous page has not been counted yet");
  const next = page < run.counted.list.pages ? run : await count(run, response, ports.bodies);
  const updatedAt = ports.clock.now().toISOString();
  // If another worker has already counted the page, this worker continues from the stored count.
  if (next !== run && !(await ports.checks.advance({ ...next, updatedAt }, page))) return;
  if (next.result === undefined) await ports.requests.send([pageRequest(next, ports.clock.now())]);
}

async function count(run: CheckRun, { outcome }: InboundResponse, bodies: BodyReader): Promise<CheckRun> {
  const bodyKey = outcome.type === "answered" ? outcome.bodyKey : undefined;
  const body = bodyKey === undefined ? new Uint8Array() : await bodies.load(bodyKey);
  const ark = run.ark === undefined ? undefined : parseArk(run.ark);
  const step = countPage({ outcome, body }, run.counted, { ark });
  if (step.type === "end") return { ...run, result: step.result };
  const next = { ...run, counted: step.counted };
  if (pageRequest(next, new Date(0)).url.length <= maxUrlChars) return next;
  return { ...run, result: checkError("other", "The resumptionToken is too long for a request.") };
}
