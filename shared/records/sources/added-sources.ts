import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { InputError } from "../../core/errors.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { changeRepeatedly, contentOf, type IsMeant } from "./change-item.ts";
import type { ConfigurationStore } from "./conf/configuration-store.ts";
import type { ConfigurationItem } from "./configuration.ts";
import { type Source, source } from "./source.ts";
import { applySourceChange } from "./source-change.ts";

/** What happened to a source; `changeId` is the same when it is published twice. */
interface SourceEvent {
  type: "source.new" | "source.opened" | "source.deleted";
  changeId: string;
  detail: { sourceUri: string; sourceId: string; documents?: DocumentsOfDeleted };
}

/** Whether the documents of a deleted source are kept or deleted. */
export const documentsOfDeleted = ["keep", "delete"] as const;
export type DocumentsOfDeleted = (typeof documentsOfDeleted)[number];

export interface AddedSourcePorts {
  configuration: Pick<ConfigurationStore, "item" | "add" | "replace" | "remove">;
  events: { publish(event: SourceEvent): Promise<void> };
  /** Takes note that a source has gone, so that its set is published no more. */
  setRegistrations: { send(message: { sourceId: string }): Promise<void> };
  /** Has all documents of a deleted source deleted. */
  documentDeletions: { send(message: { sourceId: string; deletedAt: string }): Promise<void> };
  /** Ends what is being read of a deleted source, and forgets what was read. */
  harvests: { end(sourceId: string): Promise<void> };
  clock: Clock;
}

const newSource = source.strict();

/**
 * Adds a source that no configuration file has: it belongs to the operators, and imports leave it unchanged. Adding it
 * again with the same fields changes nothing.
 * @returns the source with its revision; undefined when another source has the id
 * @throws InputError that names the first field that is not valid, or unknown, and its value
 */
export async function addSource(
  input: unknown,
  ports: AddedSourcePorts,
): Promise<{ value: Source; revision: number } | undefined> {
  const value = parseInput(newSource, input);
  const { sourceId } = value;
  await assertUsable(value, ports);
  const changedAt = ports.clock.now().toISOString();
  const item: ConfigurationItem = { kind: "source", id: sourceId, value, addedBy: "api", changedAt };
  const isNew = await ports.configuration.add(item);
  const stored = isNew ? { ...item, revision: 1 } : await ports.configuration.item(item);
  if (stored?.addedBy !== "api" || contentOf(stored.value) !== contentOf(value)) return undefined;
  await publish("source.new", stored, ports);
  return { value, revision: stored.revision ?? 0 };
}

/**
 * Changes a source: any field of one that was added, the operator fields of one that was imported. The collisions of
 * several writers are resolved by repetition.
 * @param isMeant returns false for a source that others have changed in the meantime
 * @returns undefined when there is no such source, otherwise the source with its new revision
 * @throws InputError for a field that cannot be set, or an invalid value
 * @throws ThrottledError when others keep changing it
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
 * Deletes a source that was added. The event is published before the source is removed, so a caller that is killed between
 * the two publishes it again with the same id. After the removal, the registration of its set is withdrawn, its harvests
 * end, and its documents are deleted if that is wanted, even if an earlier attempt was killed before that.
 * @param isMeant returns false for a source that others have changed in the meantime
 * @returns undefined when there is no such source
 * @throws ThrottledError when others keep changing it
 */
export async function deleteSource(
  id: string,
  documents: DocumentsOfDeleted,
  ports: AddedSourcePorts,
  isMeant?: IsMeant,
): Promise<"deleted" | "imported" | "stale" | undefined> {
  if (isMeant !== undefined && (await writeUnchanged(id, ports, isMeant)) === "stale") return "stale";
  const deleted = await changeRepeatedly({ kind: "source", id }, ports, async (before) => {
    if (before.addedBy !== "api") return "imported";
    await publish("source.deleted", before, ports, { documents });
    return (await ports.configuration.remove(before)) ? "deleted" : undefined;
  });
  if (deleted === "imported") return deleted;
  await ports.setRegistrations.send({ sourceId: id });
  await ports.harvests.end(id);
  if (documents === "delete")
    await ports.documentDeletions.send({ sourceId: id, deletedAt: ports.clock.now().toISOString() });
  return deleted;
}

/** Writes a source as it is, if it is the one that is meant: that decides it before its deletion is published. */
function writeUnchanged(
  id: string,
  ports: AddedSourcePorts,
  isMeant: IsMeant,
): Promise<"stale" | "meant" | undefined> {
  return changeRepeatedly({ kind: "source", id }, ports, async (before) => {
    if (!isMeant(before.revision)) return "stale";
    return before.addedBy !== "api" || (await ports.configuration.replace(before, before))
      ? "meant"
      : undefined;
  });
}

async function assertUsable(
  { groupId, type, reading, folder, oai, audiences }: Source,
  { configuration }: AddedSourcePorts,
): Promise<void> {
  if (reading !== undefined && type === "UPLOAD") {
    throw new InputError(
      "reading",
      reading,
      "is for sources that Ingather reads; a source of the type UPLOAD receives documents",
    );
  }
  if (type === "FILE" && reading?.mode !== "synchronous")
    throw new InputError("reading", reading, 'must be {"mode": "synchronous"}: a file is read once');
  if (type === "FOLDER" && reading?.mode !== "asynchronous")
    throw new InputError("reading", reading, "must be asynchronous: a folder is polled");
  if ((folder === undefined) === (type === "FOLDER"))
    throw new InputError("folder", folder, "is for sources of the type FOLDER: it names their folder");
  const { set, sets } = oai;
  if (sets !== undefined && set !== undefined)
    throw new InputError("oai.sets", sets, "is in place of oai.set: name all sets in it");
  if (sets !== undefined && new Set(sets.map((one) => one.set)).size < sets.length)
    throw new InputError("oai.sets", sets, "must name each set once");
  if (sets !== undefined && audiences !== undefined)
    throw new InputError(
      "audiences",
      audiences,
      "are for a source of one set: published sets are checked one by one",
    );
  if ((await configuration.item({ kind: "group", id: groupId })) !== undefined) return;
  throw new InputError("groupId", groupId, "there is no such group");
}

function publish(
  type: SourceEvent["type"],
  { id: sourceId, value, changedAt = "" }: ConfigurationItem,
  { events }: AddedSourcePorts,
  more: { documents?: DocumentsOfDeleted } = {},
): Promise<void> {
  return events.publish({
    type,
    changeId: digest(type, sourceId, contentOf(value), changedAt, ...Object.values(more)),
    detail: { sourceUri: `/sources/${sourceId}`, sourceId, ...more },
  });
}
