import { pluralize } from "../../core/pluralize.ts";
import { type IndexAnswer, stateAfter } from "../index/build/index-answer.ts";
import type { DefinitionSummary } from "./definition.ts";
import type { IndexStatus } from "./index-status.ts";
import { isUnfinished } from "./job.ts";
import { type HarvestHistory, jobsToIndex } from "./job-set.ts";

type Activation = { type: "activated"; definition: DefinitionSummary } | { type: "refused"; reason: string };

/** How long a build may take. */
const buildHours = 6;

const maxBuilds = 3;

/**
 * Activates a definition: it fixes the jobs to index and the generation. A harvest that has nothing to deduplicate
 * against is ready at once. A definition that is active already is unchanged.
 * @returns the reason when it does not exist, has jobs that were done elsewhere, or builds on a harvest that is unknown,
 *   unfinished or its own descendant
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

/** When an index was requested, the last time. */
export function requestedAt({ deadline }: Pick<IndexStatus, "deadline">): Date {
  return new Date(deadline.getTime() - buildHours * 3_600_000);
}

/** Deactivates a definition. Its index counts no longer. */
export function deactivate<Definition extends DefinitionSummary>(
  definition: Definition,
  comment?: string,
): Definition {
  const { index: _outdated, comment: _old, ...rest } = definition;
  // What is left out may be absent in any definition.
  return { ...rest, isActive: false, ...(comment !== undefined && { comment }) } as Definition;
}

/**
 * The definition after a build has begun or answered; undefined when the message is outdated: of another generation, or
 * of an index that has answered already. A failed build deactivates the definition, which then shows the missing jobs.
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
 * The definition whose build has not answered by its deadline: its index is requested again under a new generation, so
 * that a late answer is outdated. After the last build the index has expired and the definition is deactivated.
 * @returns undefined when nothing is due
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

/** Why a definition cannot build on its previous harvest yet. */
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
