import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { InputError } from "../../core/errors.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { changeRepeatedly, contentOf, type IsMeant } from "./change-item.ts";
import type { ConfigurationStore, UnfinishedChange } from "./conf/configuration-store.ts";
import type { ConfigurationItem } from "./configuration.ts";
import { type Source, source } from "./source.ts";
import { applySourceChange } from "./source-change.ts";

/** The event of a source. A repeated event has the same `changeId`. */
interface SourceEvent {
  type: "source.new" | "source.opened" | "source.deleted";
  changeId: string;
  detail: { sourceUri: string; sourceId: string; documents?: DeletionOfSource["documents"] };
}

/** Whether the documents of a deleted source are kept or deleted. */
export const documentsOfDeleted = ["keep", "delete"] as const;

type DeletionOfSource = Extract<UnfinishedChange, { type: "deleted" }>;

export interface AddedSourcePorts {
  configuration: Pick<ConfigurationStore, "item" | "add" | "replace" | "remove" | "unfinished">;
  events: { publish(event: SourceEvent): Promise<void> };
  /** Reports that a source was deleted, so that its set is no longer published. */
  setRegistrations: { send(message: { sourceId: string }): Promise<void> };
  /** Requests the deletion of all documents of a deleted source. */
  documentDeletions: {
    send(message: Pick<DeletionOfSource, "sourceId" | "documents" | "deletedAt">): Promise<void>;
  };
  /** Ends the harvests of a deleted source, and deletes their state. */
  harvests: { end(sourceId: string): Promise<void> };
  clock: Clock;
}

const newSource = source.strict();

/**
 * Adds a source that is not in a configuration file. Such a source belongs to the operators, and imports leave it
 * unchanged. Adding a source again with the same fields changes nothing. If the first attempt was interrupted before the
 * event, the repeated one publishes it.
 * @returns the source with its revision; undefined when another source has the id
 * @throws InputError that names the first field that is invalid or unknown, and its value
 */
export async function addSource(
  input: unknown,
  ports: AddedSourcePorts,
): Promise<{ value: Source; revision: number } | undefined> {
  const value = parseInput(newSource, input);
  const { sourceId } = value;
  const { configuration } = ports;
  await assertUsable(value, ports);
  const changedAt = ports.clock.now().toISOString();
  const item: ConfigurationItem = { kind: "source", id: sourceId, value, addedBy: "api", changedAt };
  if ((await configuration.item(item)) === undefined) {
    const begun = await configuration.unfinished.get(sourceId);
    if (begun?.type === "deleted") await finishDeletion(begun, ports);
    await configuration.unfinished.begin({ type: "added", sourceId });
    await configuration.add(item);
  }
  const stored = await configuration.item(item);
  if (stored?.addedBy !== "api" || contentOf(stored.value) !== contentOf(value)) return undefined;
  if ((await configuration.unfinished.get(sourceId))?.type === "added") {
    await publish("source.new", stored, ports);
    await configuration.unfinished.end(sourceId);
  }
  return { value, revision: stored.revision ?? 0 };
}

/**
 * Changes a source: any field of an added source, the operator fields of an imported source. When several requests
 * change the same source, the change is repeated.
 * @param isMeant returns false for a source that others have changed in the meantime
 * @returns undefined when the source does not exist, otherwise the source with its new revision
 * @throws InputError for a field that cannot be set, or an invalid value
 * @throws ThrottledError when concurrent requests keep changing the source
 */
export async function changeSource(
  id: string,
  change: unknown,
  ports: AddedSourcePorts,
  isMeant: IsMeant = () => true,
): Promise<{ value: Source; revision: number } | "stale" | undefined> {
  return changeRepeatedly({ kind: "source", id }, ports, async (before) => {
    if (!isMeant(before.revision)) return "stale";
    const isAdded = before.addedBy === "api";
    const value = applySourceChange(before.value, change, { now: ports.clock.now(), isAdded });
    await assertUsable(value, ports);
    const isRepeated = contentOf(value) === contentOf(before.value);
    const after = { ...before, value, ...(!isRepeated && { changedAt: ports.clock.now().toISOString() }) };
    if (!(await ports.configuration.replace(after, before))) return undefined;
    await publish("source.opened", after, ports);
    return { value, revision: (before.revision ?? 0) + 1 };
  });
}

/**
 * Deletes an added source. After the removal, the event is published, the registration of the source's set is withdrawn,
 * its harvests end, and its documents are deleted if requested. If an attempt is interrupted before the last of these
 * steps, the next one repeats them as the interrupted one was asked for. For a source that does not exist, nothing is done.
 * @param isMeant returns false for a source that others have changed in the meantime
 * @returns undefined when the source does not exist
 * @throws ThrottledError when concurrent requests keep changing the source
 */
export async function deleteSource(
  id: string,
  documents: DeletionOfSource["documents"],
  ports: AddedSourcePorts,
  isMeant: IsMeant = () => true,
): Promise<"deleted" | "imported" | "stale" | undefined> {
  const { configuration } = ports;
  const { unfinished } = configuration;
  const outcome = await changeRepeatedly({ kind: "source", id }, ports, async (before) => {
    if (!isMeant(before.revision)) return "stale";
    if (before.addedBy !== "api") return "imported";
    const changeId = changeIdOf("source.deleted", before, documents);
    const deletedAt = ports.clock.now().toISOString();
    await unfinished.begin({ type: "deleted", sourceId: id, documents, changeId, deletedAt });
    return (await configuration.remove(before)) ? "deleted" : undefined;
  });
  if (outcome === "stale" || outcome === "imported") return outcome;
  const begun = await unfinished.get(id);
  if (begun?.type !== "deleted") return outcome;
  await finishDeletion(begun, ports);
  return "deleted";
}

async function finishDeletion(
  { sourceId, documents, changeId, deletedAt }: DeletionOfSource,
  { configuration, events, setRegistrations, harvests, documentDeletions }: AddedSourcePorts,
): Promise<void> {
  const detail = { sourceUri: `/sources/${sourceId}`, sourceId, documents };
  await events.publish({ type: "source.deleted", changeId, detail });
  await setRegistrations.send({ sourceId });
  await harvests.end(sourceId);
  await documentDeletions.send({ sourceId, documents, deletedAt });
  await configuration.unfinished.end(sourceId);
}

async function assertUsable(
  { groupId, type, reading, folder, oai, audiences }: Source,
  { configuration }: AddedSourcePorts,
): Promise<void> {
  if (reading !== undefined && type === "UPLOAD") {
    throw new InputError(
      "reading",
      reading,
      "must be omitted: a source of the type UPLOAD receives documents, and Ingather does not read it",
    );
  }
  if (type === "FILE" && reading?.mode !== "synchronous")
    throw new InputError("reading", reading, 'must be {"mode": "synchronous"}: a file is read once');
  if (type === "FOLDER" && reading?.mode !== "asynchronous")
    throw new InputError("reading", reading, "must be asynchronous: a folder is polled");
  if ((folder === undefined) === (type === "FOLDER"))
    throw new InputError("folder", folder, "must be set for sources of the type FOLDER, and only for them");
  const { set, sets } = oai;
  if (sets !== undefined && set !== undefined)
    throw new InputError("oai.sets", sets, "replaces oai.set: omit oai.set, and name all sets in oai.sets");
  if (sets !== undefined && new Set(sets.map((one) => one.set)).size < sets.length)
    throw new InputError("oai.sets", sets, "must name each set once");
  if (sets !== undefined && audiences !== undefined)
    throw new InputError(
      "audiences",
      audiences,
      "requires a source with a single set, because published sets are checked one by one: omit oai.sets",
    );
  if ((await configuration.item({ kind: "group", id: groupId })) !== undefined) return;
  throw new InputError("groupId", groupId, "there is no such group");
}

function publish(
  type: "source.new" | "source.opened",
  item: ConfigurationItem,
  { events }: AddedSourcePorts,
): Promise<void> {
  const detail = { sourceUri: `/sources/${item.id}`, sourceId: item.id };
  return events.publish({ type, changeId: changeIdOf(type, item), detail });
}

function changeIdOf(
  type: SourceEvent["type"],
  { id, value, changedAt = "" }: ConfigurationItem,
  ...more: string[]
): string {
  return digest(type, id, contentOf(value), changedAt, ...more);
}
