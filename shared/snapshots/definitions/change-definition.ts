import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { controlCharacters } from "../../core/control-characters.ts";
import { digest } from "../../core/digest.ts";
import { InputError, ThrottledError } from "../../core/errors.ts";
import type { IndexRequest } from "../index/index-build.ts";
import { activate, deactivate } from "./activation.ts";
import { type HarvestDefinition, withEvent } from "./definition.ts";
import { indexName } from "./index-name.ts";
import { defaultMinimumShare } from "./index-status.ts";
import type { SnapshotStore, StoredDefinition } from "./snapshot-store.ts";

const count = (most: number) => z.int().min(1).max(most);

/** A host name, whose home pages are the seeds. */
const domain = z
  .string()
  .regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/i,
    "must be a domain, such as a.example",
  );

const seed = z
  .string()
  .max(2000)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    "must be an absolute http or https URL",
  )
  .overwrite((text) => {
    // Also called for what is refused above.
    const url = URL.parse(text);
    if (url === null) return text;
    url.hash = "";
    return url.href;
  });

/** What an operator sets of a definition. */
export const definitionInput = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((text) => !controlCharacters.test(text), "must be a line of text, without control characters"),
  type: z
    .enum(["snapshot", "selective"])
    .describe(
      "`snapshot`: all seeds once, against a deduplication index; `selective`: some sites, without an index",
    ),
  seeds: z.array(seed).max(5000).default([]).describe("URLs where the harvest begins"),
  domains: z.array(domain).max(5000).default([]).describe("Domains whose home pages are further seeds"),
  limits: z
    .strictObject({
      maxObjects: count(100_000).default(10_000).describe("Captured URLs per job"),
      maxBytes: count(64 * 1024 ** 3)
        .default(10_000_000_000)
        .describe("Bytes of bodies per job"),
      maxObjectBytes: count(64 * 1024 ** 3)
        .default(10_000_000_000)
        .describe("Bytes of one body; a longer one is stored up to there"),
      maxDepth: z
        .int()
        .min(0)
        .max(20)
        .default(1)
        .describe("Links from a seed; 0: seeds and what they are made of"),
      maxMinutes: count(7 * 24 * 60)
        .default(24 * 60)
        .describe("After that time, nothing more is requested"),
    })
    .prefault({}),
  previous: z.string().min(1).max(64).optional().describe("The id of the snapshot that this one continues"),
  deduplicate: z.boolean().default(true).describe("Whether content that is stored already is referred to"),
  deduplicateText: z
    .boolean()
    .default(false)
    .describe("Whether texts (mime types `text/…`) are referred to, too"),
  minimumShare: z
    .number()
    .min(0)
    .max(1)
    .default(defaultMinimumShare)
    .describe("The share of the earlier jobs that the index must hold; it is partial if some are missing"),
});
export type DefinitionInput = z.output<typeof definitionInput>;

export interface DefinitionPorts {
  snapshots: SnapshotStore;
  indexRequests: { send(request: IndexRequest): Promise<void> };
  clock: Clock;
}

/** Adds a definition, which is not active. @throws InputError that names the field */
export async function createDefinition(
  input: DefinitionInput,
  { snapshots, clock }: DefinitionPorts,
): Promise<StoredDefinition> {
  const now = clock.now();
  const fields = await fieldsOf(input, snapshots);
  // The same request once more, as after a lost answer, gives the same definition.
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

/** Replaces what an operator sets of a definition. @throws InputError when it is active or has run */
export async function changeDefinition(
  id: string,
  input: DefinitionInput,
  { snapshots, clock }: DefinitionPorts,
): Promise<StoredDefinition | undefined> {
  const fields = await fieldsOf(input, snapshots);
  return update(id, snapshots, (definition) => {
    if (definition.isActive) throw new InputError("id", id, "is active: deactivate it before you change it");
    if (definition.jobIds.length > 0) throw new InputError("id", id, "has run: make a new definition");
    const { previous: _replaced, ...rest } = definition;
    return withEvent({ ...rest, ...fields }, clock.now(), "changed");
  });
}

async function fieldsOf({ domains, seeds, previous, ...input }: DefinitionInput, snapshots: SnapshotStore) {
  const all = [...new Set([...seeds, ...domains.map((name) => `https://${name.toLowerCase()}/`)])];
  if (all.length === 0) throw new InputError("seeds", seeds, "needs a URL, or domains a domain");
  if (previous !== undefined && (await snapshots.definition(previous)) === undefined) {
    throw new InputError("previous", previous, "is no harvest definition");
  }
  return { ...input, seeds: all, ...(previous !== undefined && { previous }) };
}

/**
 * Activates a definition: its job set and its generation are fixed, and the index is requested. Repeatable.
 * @returns the reason of a refusal as text; undefined when there is no such definition
 */
export async function activateDefinition(
  id: string,
  ports: DefinitionPorts,
): Promise<StoredDefinition | { refusal: string } | undefined> {
  const { snapshots, clock } = ports;
  const [all, jobs] = [await snapshots.definitions(), await snapshots.jobs()];
  const definitions = new Map(all.map(({ definition }) => [definition.id, definition]));
  // A job that its definition does not name was left by an interrupted repetition; it never begins.
  const named = jobs.filter((job) => definitions.get(job.definitionId)?.jobIds.includes(job.id));
  const now = clock.now();
  let refusal: string | undefined;
  const stored = await update(id, snapshots, (definition) => {
    const history = { definitions: new Map(definitions).set(id, definition), jobs: named };
    const activation = activate(id, history, now);
    refusal = activation.type === "refused" ? activation.reason : undefined;
    if (activation.type === "refused" || definition.isActive) return definition;
    const { index } = activation.definition;
    const what =
      index === undefined ? "activated" : `activated: index ${indexName(index.jobIds)} ${index.state}`;
    return withEvent(activation.definition, now, what);
  });
  if (refusal !== undefined) return { refusal };
  if (stored !== undefined) await requestIndex(stored.definition, ports);
  return stored;
}

/** Deactivates a definition: its index counts no longer, and no jobs are made of it. */
export function deactivateDefinition(
  id: string,
  { snapshots, clock }: DefinitionPorts,
  comment?: string,
): Promise<StoredDefinition | undefined> {
  return update(id, snapshots, (definition) =>
    definition.isActive ? withEvent(deactivate(definition, comment), clock.now(), "deactivated") : definition,
  );
}

/** Requests the index that a definition waits for; also a second time. */
export async function requestIndex(
  { id, generation, index, deduplicateText, minimumShare }: HarvestDefinition,
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

const maxTries = 5;

/**
 * Changes a stored definition; the change is made again when another one was first.
 * @param change what it makes equal is not written
 * @returns undefined when there is no such definition
 * @throws ThrottledError when others keep changing it
 */
export async function update(
  id: string,
  snapshots: Pick<SnapshotStore, "definition" | "replace">,
  change: (definition: HarvestDefinition) => HarvestDefinition,
): Promise<StoredDefinition | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const stored = await snapshots.definition(id);
    if (stored === undefined) return undefined;
    const changed = change(stored.definition);
    if (changed === stored.definition) return stored;
    if (await snapshots.replace(changed, stored.version)) {
      return { definition: changed, version: stored.version + 1 };
    }
  }
  throw new ThrottledError(`others are changing the definition ${id}`, new Date(Date.now() + 1000));
}
