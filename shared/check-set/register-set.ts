import * as z from "zod";
import type { SetAudience } from "../formats/oai/set-audience.ts";
import type { SetIdentity } from "./published-sets.ts";
import { registerPublished } from "./set-sparql.ts";

/** The message by which a set is registered: its list has been read completely, or its source has been deleted. */
export const setRegistration = z.object({ sourceId: z.string().min(1) });
type SetRegistration = z.output<typeof setRegistration>;

/** The set that a source harvests, and its audiences. */
export interface HarvestedSet extends SetIdentity {
  metadataPrefix: string;
  audiences: readonly SetAudience[];
}

export interface RegisterSetPorts {
  /** The set of a source; undefined when there is no such source, or when it is not of OAI-PMH. */
  harvestedSet(sourceId: string): Promise<HarvestedSet | undefined>;
  /** Undefined without an endpoint: the sources themselves are the register. */
  sparql: { update(operation: string): Promise<void> } | undefined;
}

/**
 * Registers the set of a source as published for its audiences, or withdraws it when it has none, or is gone. Repeatable.
 * @throws RemoteError when the SPARQL endpoint does not answer
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
