import * as z from "zod";
import { digest } from "../../core/digest.ts";
import { type ListState, listRequest } from "../../formats/oai/list-state.ts";
import { oaiRequestUrl } from "../../formats/oai/request-url.ts";
import { runContext } from "../../records/runs/completion.ts";
import type { Source } from "../../records/sources/source.ts";
import type { NewRequest } from "../../web/request/request.ts";
import type { ListPlan } from "../oai-state/harvest-state.ts";
import type { RequestPolicy } from "../request-policy.ts";

/** The context of the requests of one harvest, which follow each other. */
export const oaiContext = runContext.extend({
  /** The number of the request in its harvest, from 0. */
  place: z.number().int().nonnegative(),
  /** The run that waits for the harvest. */
  deliveryRunId: z.string().optional(),
  /** Absent from the request for Identify. Only readers write it, and only readers read it. */
  list: z.custom<{ state: ListState; plan: ListPlan }>((value) => typeof value === "object").optional(),
});
export type OaiContext = z.output<typeof oaiContext>;

/** The first request of a harvest: Identify, or the first page of the list, or the page after another one. */
export function buildOaiRequest(
  source: Pick<Source, "sourceId" | "url">,
  context: Omit<OaiContext, "sourceId">,
  requestPolicy: RequestPolicy,
): NewRequest {
  const { sourceId, url } = source;
  const { list, runId, place } = context;
  return {
    id: digest(runId, sourceId, "oai", String(place)),
    kind: "oai",
    ...(list === undefined
      ? { url: oaiRequestUrl(url, "Identify") }
      : listRequest(list.plan.baseUrl, list.state)),
    ...requestPolicy,
    context: { ...context, sourceId },
  };
}
