import { pluralize } from "../../core/pluralize.ts";
import { type IndexAnswer, stateAfter } from "../index/build/index-answer.ts";
import type { DefinitionSummary } from "./definition.ts";
import type { IndexStatus } from "./index-status.ts";
import { isUnfinished } from "./job.ts";
import { type HarvestHistory, jobsToIndex } from "./job-set.ts";

type Activation = { type: "activated"; definition: DefinitionSummary } | { type: "refused"; reason: string };

/** The maximum duration of a build. */
const buildHours = 6;

const maxBuilds = 3;

/**
 * Activates a definition, which fixes the jobs to index and the generation. A definition without earlier jobs
 * to deduplicate against is ready at once. A definition that is already active is unchanged.
 * @returns the reason for a refusal: the definition does not exist or has uploaded jobs, or it is based on a
 *   definition that is unknown, unfinished or its own descendant
 */
export function activate(id: string, history: HarvestHistory, now: Date): Activation {
  const definition = history.definitions.get(id);
  if (definition === undefined) return refused(`there is no harvest definition ${id}`);
  if (definition.isActive) return { type: "activated", definition };
  if (history.jobs.some((job) => job.definitionId === id && job.uploaded !== undefined))
    return refused(`Harvest definition ${id} has uploaded jobs, so it cannot capture anything itself`);
  const set = jobsToIndex(id, history);
  if (set.type === "unknown")
    return refused(`Harvest definition ${id} is based on ${set.id}, which does not exist`);
  if (set.type === "cycle") return refused(`Harvest definitions are circular: ${set.ids.join(" → ")}`);
  const reason = unfinishedPrevious(definition, history);
  if (reason !== undefined) return refused(reason);
  const generation = definition.generation + 1;
  const { comment: _outdated, ...rest } = definition;
  const active = { ...rest, isActive: true, generation };
  if (definition.type === "selective") return { type: "activated", definition: active };
  const jobIds = definition.deduplicate ? set.ids : [];
  const index: IndexStatus = {
    state: jobIds.length === 0 ? "ready" : "requested",
    generation,
    jobIds,
    missing: [],
    builds: 1,
    deadline: deadlineAfter(now),
  };
  return { type: "activated", definition: { ...active, index } };
}

function deadlineAfter(now: Date): Date {
  return new Date(now.getTime() + buildHours * 3_600_000);
}

/** Returns when the current index was last requested. */
export function requestedAt({ deadline }: Pick<IndexStatus, "deadline">): Date {
  return new Date(deadline.getTime() - buildHours * 3_600_000);
}

/** Deactivates a definition. Its index is no longer used. */
export function deactivate<Definition extends DefinitionSummary>(
  definition: Definition,
  comment?: string,
): Definition {
  const { index: _outdated, comment: _old, ...rest } = definition;
  // The omitted properties are optional in every kind of definition.
  return { ...rest, isActive: false, ...(comment !== undefined && { comment }) } as Definition;
}

/**
 * Updates a definition after a build has begun or has ended.
 * A failed build deactivates the definition, which then lists the missing jobs.
 * @returns undefined if the message is outdated, because it belongs to another generation or to an index that
 *   has already ended
 */
export function afterBuild<Definition extends DefinitionSummary>(
  definition: Definition,
  answer: IndexAnswer,
): Definition | undefined {
  const { index, isActive, generation } = definition;
  if (!isActive || index === undefined || answer.generation !== generation) return undefined;
  if (index.state !== "requested" && index.state !== "building") return undefined;
  if ("state" in answer) return { ...definition, index: { ...index, state: "building" } };
  const state = stateAfter(index, answer, definition.minimumShare);
  const { missing } = answer;
  if (state !== "failed") {
    const built = answer.index && { built: answer.index };
    return { ...definition, index: { ...index, state, missing, ...built } };
  }
  const lacking = `${pluralize(missing.length, "job")} of ${index.jobIds.length} cannot be read: ${missing.join(", ")}`;
  const why = answer.error ?? lacking;
  const inactive = deactivate(definition, `The deduplication index could not be built: ${why}`);
  return { ...inactive, index: { ...index, state, missing } };
}

/**
 * Updates a definition whose build has not ended by its deadline. The index is requested again under a new
 * generation, so that a late message is outdated. After the last attempt, the index is expired and the
 * definition is deactivated.
 * @returns undefined if there is nothing to do
 */
export function afterDeadline<Definition extends DefinitionSummary>(
  definition: Definition,
  now: Date,
): Definition | undefined {
  const { index, isActive } = definition;
  if (!isActive || index === undefined || now < index.deadline) return undefined;
  if (index.state !== "requested" && index.state !== "building") return undefined;
  const expired = `The build of the deduplication index did not end by ${index.deadline.toISOString()}`;
  if (index.builds >= maxBuilds) {
    const inactive = deactivate(definition, `${expired}, the last of ${maxBuilds} attempts`);
    return { ...inactive, index: { ...index, state: "expired" } };
  }
  const generation = definition.generation + 1;
  const again = {
    generation,
    state: "requested",
    builds: index.builds + 1,
    deadline: deadlineAfter(now),
  } as const;
  return {
    ...definition,
    generation,
    index: { ...index, ...again },
    comment: `${expired}; it was requested again`,
  };
}

/** Returns why a definition cannot be based on its previous harvest yet. */
function unfinishedPrevious(
  { id, previous }: DefinitionSummary,
  { jobs }: HarvestHistory,
): string | undefined {
  if (previous === undefined) return undefined;
  const before = jobs.filter(({ definitionId }) => definitionId === previous);
  if (before.length > 0 && !before.some(isUnfinished)) return undefined;
  return `Harvest definition ${id} is based on unfinished definition ${previous}`;
}

function refused(reason: string): Activation {
  return { type: "refused", reason };
}
