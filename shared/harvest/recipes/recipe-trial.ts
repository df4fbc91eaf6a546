// Input: a recipe, and a page or its address. Output: a stored trial, and the request for the page or the page itself.
// Called by the routes; read-trial-response.ts reads the page.

import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { InputError } from "../../core/errors.ts";
import { bodyInMessage } from "../../web/gate/message-body.ts";
import { outboundRequest, type RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { RecipeTrial } from "./try-recipe.ts";

/** The trial of a recipe on a page that is requested for it. */
export interface RequestedTrial {
  trialId: string;
  url: string;
  /** The recipe. */
  toml: string;
  /** ISO 8601, UTC. */
  requestedAt: string;
  /** Absent while the page has not arrived. */
  trial?: RecipeTrial;
}

export interface RecipeTrialStore {
  create(trial: RequestedTrial): Promise<void>;
  finish(trialId: string, trial: RecipeTrial): Promise<void>;
  get(trialId: string): Promise<RequestedTrial | undefined>;
}

/** What the request of a trial carries to its response. */
export const recipeTrialContext = z.object({ trialId: z.string(), toml: z.string() });

/** The longest page that is sent with a trial, compressed and in base64, because a message has at most 256 KB. */
const maxPageChars = 120_000;

export interface TrialPorts {
  recipeTrials: Pick<RecipeTrialStore, "create">;
  requests: RequestQueue;
  /** The responses to the requests of trials. */
  trialPages: { send(response: InboundResponse): Promise<void> };
  clock: Pick<Clock, "now">;
  newId(): string;
}

/**
 * Starts a trial. Its page is requested through the gate, where it may wait, or was sent with it. The result is fetched
 * later by its id.
 * @param given.html the page, if it was sent
 * @throws {InputError} when the page is too long
 */
export async function startTrial(
  given: { url: string; toml: string; html?: string | undefined; userAgent?: string | undefined },
  { recipeTrials, requests, trialPages, clock, newId }: TrialPorts,
): Promise<RequestedTrial> {
  const { url, toml, html, userAgent } = given;
  const bodyKey = html === undefined ? undefined : bodyOf(html);
  const trial = { trialId: newId(), url, toml, requestedAt: clock.now().toISOString() };
  await recipeTrials.create(trial);
  const { trialId } = trial;
  const request = {
    id: digest("recipe-trial", trialId),
    kind: "detection" as const,
    url,
    ...(userAgent !== undefined && { userAgent }),
    context: { trialId, toml },
  };
  if (bodyKey === undefined) await requests.send([request]);
  else {
    const headers = { "content-type": "text/html; charset=utf-8" };
    await trialPages.send({
      request: outboundRequest.parse(request),
      outcome: { type: "answered", status: 200, url, hops: [], headers, bodyKey, elapsedMs: 0 },
    });
  }
  return trial;
}

function bodyOf(html: string): string {
  const key = bodyInMessage(new TextEncoder().encode(html), maxPageChars);
  if (key !== undefined) return key;
  const advice = "is too long, even if it is compressed: use `npx ingather recipe try`";
  throw new InputError("html", `${html.length} characters`, advice);
}
