import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexRequest } from "../index/build/index-build.ts";
import { activate, deactivate } from "./activation.ts";
import { type DefinitionSummary, type HarvestDefinition, withEvent } from "./definition.ts";
import { definitionFields } from "./definition-fields.ts";
import type { DefinitionInput } from "./definition-input.ts";
import { indexName } from "./index-name.ts";
import { maxSeedCharacters } from "./read-definitions.ts";
import type { MeantVersion } from "./remove-definition.ts";
import type { SnapshotStore, StoredDefinition } from "./snapshot-store.ts";
import { updateDefinition } from "./update-definition.ts";

export interface DefinitionPorts {
  snapshots: SnapshotStore;
  indexRequests: { send(request: IndexRequest): Promise<void> };
  clock: Clock;
}

/** Adds a definition, which is not active yet. @throws InputError that names the field */
export async function createDefinition(
  input: DefinitionInput,
  { snapshots, clock }: DefinitionPorts,
): Promise<StoredDefinition> {
  const now = clock.now();
  const fields = await fieldsOf(input, snapshots);
  // A repeated request, such as after a lost response, yields the same definition.
  const id = digest("definition", JSON.stringify(input), now.toISOString().slice(0, 10));
  const definition: HarvestDefinition = {
    id,
    ...fields,
    isActive: false,
    createdAt: now,
    generation: 0,
    jobIds: [],
    history: [{ at: now, what: "created" }],
  };
  await snapshots.create(definition);
  return (await snapshots.definition(id)) ?? { definition, version: 1 };
}

/** Replaces the fields of a definition that operators set. @throws InputError if it is active or has run */
export async function changeDefinition(
  id: string,
  input: DefinitionInput,
  ports: DefinitionPorts,
  isMeant?: MeantVersion,
): Promise<StoredDefinition | "stale" | undefined> {
  const fields = await fieldsOf(input, ports.snapshots);
  let isStale = false;
  const stored = await updateDefinition(id, ports, (definition, version) => {
    isStale = isMeant?.(version) === false;
    if (isStale) return definition;
    if (definition.isActive) throw new InputError("id", id, "is active: deactivate it before you change it");
    if (definition.jobIds.length > 0) throw new InputError("id", id, "has run: make a new definition");
    return withEvent({ ...withoutInput(definition), ...fields }, ports.clock.now(), "changed");
  });
  return isStale ? "stale" : stored;
}

/**
 * Returns the fields of a definition that operators do not set. Optional fields that a change omits are
 * removed.
 */
function withoutInput(definition: HarvestDefinition): Omit<HarvestDefinition, keyof DefinitionInput> {
  const entries = Object.entries(definition).filter(([name]) => !Object.hasOwn(definitionFields, name));
  return Object.fromEntries(entries) as Omit<HarvestDefinition, keyof DefinitionInput>;
}

async function fieldsOf({ domains, seeds, previous, ...input }: DefinitionInput, snapshots: SnapshotStore) {
  const all = [...new Set([...seeds, ...domains.map((name) => `https://${name.toLowerCase()}/`)])];
  if (all.length === 0) throw new InputError("seeds", seeds, "needs a URL, or domains a domain");
  const characters = all.reduce((sum, url) => sum + url.length, 0);
  if (characters > maxSeedCharacters) {
    const [given, most] = [characters, maxSeedCharacters].map((count) => Math.ceil(count / 1000));
    throw new InputError(
      "seeds",
      `${all.length} URLs`,
      `have ${given} kB together, more than ${most} kB: make several definitions`,
    );
  }
  if (previous !== undefined && (await snapshots.definition(previous)) === undefined) {
    throw new InputError("previous", previous, "is not a harvest definition");
  }
  return { ...input, seeds: all, ...(previous !== undefined && { previous }) };
}

/**
 * Activates a definition: fixes its job set and its generation, and requests the index. Can be repeated.
 * @returns the reason of a refusal as text; undefined if the definition does not exist
 */
export async function activateDefinition(
  id: string,
  ports: DefinitionPorts,
): Promise<StoredDefinition | { refusal: string } | undefined> {
  const { snapshots, clock } = ports;
  const [all, jobs] = [await snapshots.definitions(), await snapshots.jobs()];
  const definitions = new Map(all.map((definition) => [definition.id, definition]));
  // A job that its definition does not name was left by an interrupted attempt. It is never started.
  const named = jobs.filter((job) => definitions.get(job.definitionId)?.jobIds.includes(job.id));
  const now = clock.now();
  let refusal: string | undefined;
  const stored = await updateDefinition(id, ports, (definition) => {
    const history = { definitions: new Map(definitions).set(id, definition), jobs: named };
    const activation = activate(id, history, now);
    refusal = activation.type === "refused" ? activation.reason : undefined;
    if (activation.type === "refused" || definition.isActive) return definition;
    const { index } = activation.definition;
    const what =
      index === undefined ? "activated" : `activated: index ${indexName(index.jobIds)} ${index.state}`;
    return withEvent({ ...activation.definition, seeds: definition.seeds }, now, what);
  });
  if (refusal !== undefined) return { refusal };
  if (stored !== undefined) await requestIndex(stored.definition, ports);
  return stored;
}

/** Deactivates a definition: its index is no longer used, and it gets no further jobs. */
export function deactivateDefinition(
  id: string,
  ports: DefinitionPorts,
  comment?: string,
): Promise<StoredDefinition | undefined> {
  return updateDefinition(id, ports, (definition) =>
    definition.isActive
      ? withEvent(deactivate(definition, comment), ports.clock.now(), "deactivated")
      : definition,
  );
}

/** Requests the index that a definition waits for. Can be repeated. */
export async function requestIndex(
  { id, generation, index, deduplicateText, minimumShare }: DefinitionSummary,
  { indexRequests }: Pick<DefinitionPorts, "indexRequests">,
): Promise<void> {
  if (index?.state !== "requested") return;
  const jobIds = [...index.jobIds];
  await indexRequests.send({
    definitionId: id,
    generation,
    indexName: indexName(jobIds),
    jobIds,
    includesText: deduplicateText,
    minimumShare,
  });
}
