import { digest } from "../../core/digest.ts";
import type { Events } from "../../records/events/events.ts";
import type { HeldDeletions } from "./held-deletions.ts";

/** Publishes that deletions of a source are held; once for each list, by its id. */
export async function publishHeld(
  sourceId: string,
  { harvestId, documents, of, since, areFiles }: HeldDeletions,
  { events }: { events: Events },
): Promise<void> {
  const changeId = digest("source.deletions-held", sourceId, harvestId);
  const detail = {
    sourceUri: `/sources/${sourceId}`,
    sourceId,
    documents,
    of,
    at: since,
    ...(areFiles && { areFiles }),
  };
  await events.publish({ type: "source.deletions-held", changeId, detail });
}
