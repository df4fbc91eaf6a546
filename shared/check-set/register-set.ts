import * as z from "zod";
import type { SetAudience } from "../formats/oai/set-audience.ts";
import type { SetIdentity } from "./published-sets.ts";
import { registerPublished } from "./set-sparql.ts";

/** The message that registers a set, because its list has been read completely or its source has been deleted. */
export const setRegistration = z.object({ sourceId: z.string().min(1) });
type SetRegistration = z.output<typeof setRegistration>;

/** The set that a source harvests, and its audiences. */
export interface HarvestedSet extends SetIdentity {
  metadataPrefix: string;
  audiences: readonly SetAudience[];
}

export interface RegisterSetPorts {
  /**
   * Returns the set of a source.
   * @returns undefined when the source does not exist or is not of the type OAI-PMH
   */
  harvestedSet(sourceId: string): Promise<HarvestedSet | undefined>;
  /** The SPARQL endpoint; undefined when none is configured, and the sources themselves are the register. */
  sparql: { update(operation: string): Promise<void> } | undefined;
}

/**
 * Registers the set of a source as published for its audiences. If the source has no audiences or no longer exists,
 * withdraws the registration. Repeatable.
 * @throws RemoteError when the SPARQL endpoint does not respond
 */
export async function registerSet({ sourceId }: SetRegistration, ports: RegisterSetPorts): Promise<void> {
  if (ports.sparql === undefined) return;
  const set = await ports.harvestedSet(sourceId);
  await ports.sparql.update(
    set === undefined
      ? registerPublished({ sourceId, service: "", metadataPrefix: "" }, [])
      : registerPublished({ sourceId, ...set }, set.audiences),
  );
}
