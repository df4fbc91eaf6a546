import * as z from "zod";
import { digest } from "../../core/digest.ts";
import { listRequest, recordRequest } from "../../formats/oai/list-state.ts";
import { oaiRequestUrl } from "../../formats/oai/request-url.ts";
import { runContext } from "../../records/runs/completion.ts";
import type { Source } from "../../records/sources/source.ts";
import type { NewRequest } from "../../web/request/request.ts";
import type { RequestPolicy } from "../request-policy.ts";
import type { Confirmation } from "./confirm-deletions.ts";
import type { WantedRecords } from "./fetch-wanted.ts";
import type { ListInParts } from "./list-parts.ts";

/** The list of a harvest, with the records that are to be asked for after it; at its end, with what is being asked about the documents that it lacks. */
export interface HarvestedList extends ListInParts {
  wanted?: WantedRecords;
  confirmation?: Confirmation;
}

/** The context of the requests of one harvest, which follow each other. */
export const oaiContext = runContext.extend({
  /** The number of the request in its harvest, from 0. */
  place: z.number().int().nonnegative(),
  /** The run that waits for the harvest. */
  deliveryRunId: z.string().optional(),
  /** Absent from the request for Identify. Only readers write it, and only readers read it. */
  list: z.custom<HarvestedList>((value) => typeof value === "object").optional(),
});
export type OaiContext = z.output<typeof oaiContext>;

/** A request of a harvest: Identify, a page of the list, or a record that the list lacks. */
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
    ...requestFor(list, url),
    ...requestPolicy,
    context: { ...context, sourceId },
  };
}

function requestFor(list: HarvestedList | undefined, sourceUrl: string) {
  if (list === undefined) return { url: oaiRequestUrl(sourceUrl, "Identify") };
  const { plan, state, confirmation, wanted } = list;
  const asked = confirmation?.pending ?? (wanted?.after && wanted.identifiers);
  if (asked === undefined) return listRequest(plan.baseUrl, state);
  const [identifier = ""] = asked;
  const { metadataPrefix = "oai_dc" } = plan.args;
  return recordRequest(plan.baseUrl, { identifier, metadataPrefix });
}
