import type { InboundResponse } from "../../web/request/response.ts";
import { failureRetentionHours, type SettleLookupPorts, settleLookup } from "../lookups/settle-lookup.ts";
import { readAuthorityOutcome } from "./authority.ts";

/**
 * The retention of a successful lookup. The authority file grows slowly, so a missing name may be found after a month.
 */
const retentionHours = 30 * 24;

/** Stores a response of the authority file, and resumes the articles that waited for it. */
export async function readAuthorityResponse(
  response: InboundResponse,
  ports: SettleLookupPorts,
): Promise<void> {
  const answer = await readAuthorityOutcome(response.outcome, ports.bodies);
  const hours = answer.type === "failed" ? failureRetentionHours : retentionHours;
  await settleLookup(response, { answer, retentionHours: hours }, ports);
}
