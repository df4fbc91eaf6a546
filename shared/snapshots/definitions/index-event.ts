import type { DomainEvent } from "../../records/events/events.ts";
import type { DefinitionSummary } from "./definition.ts";

/**
 * Returns the event about an index that is ready, failed or expired; undefined while the index is being
 * built.
 */
export function indexEvent({ id, generation, index, comment }: DefinitionSummary): DomainEvent | undefined {
  if (index === undefined) return undefined;
  const { state, missing } = index;
  const changeId = `index/${id}/${generation}`;
  const detail = { definitionId: id, generation, missing };
  if (state === "ready" || state === "ready-partial") return { type: "index.ready", changeId, detail };
  if (state !== "failed" && state !== "expired") return undefined;
  return {
    type: "index.failed",
    changeId,
    detail: { ...detail, reason: comment ?? `the index has ${state}` },
  };
}
