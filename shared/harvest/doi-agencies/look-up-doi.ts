import type { Clock } from "../../core/clock.ts";
import type { Notice, RegisteredWork } from "../../formats/registered/registered-work.ts";
import { parseDoi } from "../../identifiers/doi.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Source } from "../../records/sources/source.ts";
import type { DoiAgency } from "../../records/sources/witness-fields.ts";
import { type LookupContext, type LookupPorts, lookUp } from "../lookups/look-up.ts";
import type { Statement } from "../witnesses/statement.ts";
import { buildDoiLookup } from "./doi-agency.ts";

/** The longest wait for an answer. Then the article goes without it. */
export const doiLookupWaitMs = 30 * 60_000;

/** What a registration agency says about an article. */
interface RegisteredStatements {
  statements: Statement[];
  notices: Notice[];
  /** Why nothing is known, if the agency could not be asked. */
  warnings: string[];
}

/** Returns the agencies that are asked about a source's articles, in order. */
export function agenciesOf(source: Source, group: Group): readonly DoiAgency[] {
  return source.doiAgencies ?? group.doiAgencies ?? [];
}

/**
 * Asks the agencies for an article's DOI, one after the other until one of them knows it or fails.
 * @returns undefined when an agency had to be requested
 */
export async function lookUpDoi(
  stated: string | undefined,
  { source, group, today, ...context }: LookupContext & { source: Source; group: Group; today: string },
  ports: LookupPorts & { clock: Clock },
): Promise<RegisteredStatements | undefined> {
  const nothing: RegisteredStatements = { statements: [], notices: [], warnings: [] };
  const doi = stated === undefined ? undefined : parseDoi(stated);
  if (doi === undefined) return nothing;
  const notAfter = new Date(ports.clock.now().getTime() + doiLookupWaitMs).toISOString();
  for (const agency of agenciesOf(source, group)) {
    const lookup = buildDoiLookup(agency, doi, { group, notAfter });
    const answers = await lookUp([lookup], context, ports);
    if (answers === undefined) return undefined;
    const answer = answers.get(lookup.lookupId);
    if (answer?.type === "failed") {
      return { ...nothing, warnings: [`${agency} could not be asked about ${doi}: ${answer.reason}`] };
    }
    if (answer?.type === "registered") {
      const { work } = answer;
      const item = { ...work.item, ...licenceOf(work, today) };
      return { ...nothing, statements: [{ witness: agency, item }], notices: work.notices };
    }
  }
  return nothing;
}

/** Returns the licence that applies today, with the day from which it applies. */
function licenceOf({ licences }: RegisteredWork, today: string): { rights?: string; licenceFrom?: string } {
  const current = licences.findLast(({ from }) => from === undefined || from <= today);
  if (current === undefined) return {};
  return { rights: current.url, ...(current.from && { licenceFrom: current.from }) };
}
