import { describeUnusableOutcome, type InboundResponse, isUsableAnswer } from "../../web/request/response.ts";
import { loadBody } from "../load-body.ts";
import type { LookupAnswer } from "../lookups/lookup-answer.ts";
import { failureRetentionHours, type SettleLookupPorts, settleLookup } from "../lookups/settle-lookup.ts";
import { parseAgencyAnswer } from "./doi-agency.ts";

/** The retention of metadata, which may be corrected. */
const retentionHours = 30 * 24;

/** The retention of the answer that a DOI is unknown. A new article is often registered some days later. */
const unknownRetentionHours = 3 * 24;

/** Stores the answer of a registration agency for a DOI, and resumes the articles that waited for it. */
export async function readDoiMetadataResponse(
  response: InboundResponse,
  ports: SettleLookupPorts,
): Promise<void> {
  const answer = await readAnswer(response, ports);
  const hours = { registered: retentionHours, unknown: unknownRetentionHours, failed: failureRetentionHours };
  await settleLookup(response, { answer, retentionHours: hours[answer.type] }, ports);
}

async function readAnswer(
  { outcome }: InboundResponse,
  { bodies }: Pick<SettleLookupPorts, "bodies">,
): Promise<Exclude<LookupAnswer, { type: "identified" }>> {
  if (outcome.type === "answered" && outcome.status === 404) return { type: "unknown" };
  if (!isUsableAnswer(outcome)) return { type: "failed", reason: describeUnusableOutcome(outcome) };
  const work = parseAgencyAnswer(await loadBody(outcome, bodies));
  return work === undefined
    ? { type: "failed", reason: `${outcome.url} answered without the metadata of a DOI` }
    : { type: "registered", work };
}
