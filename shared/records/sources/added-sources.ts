import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { ThrottledError } from "../../core/errors.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { assertUsable } from "./assert-usable.ts";
import { changeRepeatedly, contentOf, type IsMeant } from "./change-item.ts";
import type { ConfigurationStore, SourceDeletion } from "./conf/configuration-store.ts";
import type { ConfigurationItem } from "./configuration.ts";
import { type FinishDeletionPorts, finishDeletion } from "./finish-deletion.ts";
import { type Source, source } from "./source.ts";
import { applySourceChange } from "./source-change.ts";

/** Whether the documents of a deleted source are kept or deleted. */
export const documentsOfDeleted = ["keep", "delete"] as const;

export interface AddedSourcePorts extends FinishDeletionPorts {
  configuration: Pick<
    ConfigurationStore,
    "item" | "add" | "replace" | "remove" | "noteAnnounced" | "deletions"
  >;
  clock: Clock;
}

const newSource = source.strict();

/**
 * Adds a source that is not in a configuration file. Such a source belongs to the operators, and imports leave it
 * unchanged. Adding a source again with the same fields changes nothing. If the first attempt was interrupted before the
 * event, the repeated one publishes it, or the next poll.
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
  const createdAt = ports.clock.now().toISOString();
  const item: ConfigurationItem = {
    ...{ kind: "source", id: sourceId, value, addedBy: "api" },
    ...{ createdAt, changedAt: createdAt, isUnannounced: true },
  };
  const before = await configuration.item(item);
  let isAdded = false;
  if (before === undefined) {
    await finishDeletion(sourceId, ports);
    isAdded = await configuration.add(item);
  }
  const stored = before ?? (await configuration.item(item));
  // Another request has deleted it meanwhile. If it was added here, that request has published both events.
  if (stored === undefined) return isAdded ? { value, revision: 1 } : addSource(input, ports);
  if (stored.addedBy !== "api" || contentOf(stored.value) !== contentOf(value)) return undefined;
  await announce(stored, ports);
  return { value, revision: stored.revision ?? 0 };
}

interface AnnouncePorts {
  configuration: Pick<ConfigurationStore, "item" | "noteAnnounced">;
  events: AddedSourcePorts["events"];
}

/** Publishes that a source is new, unless that is published: the request that added it may have been interrupted. */
export async function announceSource(id: string, ports: AnnouncePorts): Promise<void> {
  const item = await ports.configuration.item({ kind: "source", id });
  if (item !== undefined) await announce(item, ports);
}

/** Publishes that a source is new, unless that is published. Requests that change or delete the source do it first. */
async function announce(item: ConfigurationItem, ports: AnnouncePorts): Promise<void> {
  if (!item.isUnannounced) return;
  await publish("source.new", item, ports);
  await ports.configuration.noteAnnounced(item);
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
    await announce(before, ports);
    const { isUnannounced: _published, ...known } = before;
    const after = { ...known, value, ...(!isRepeated && { changedAt: ports.clock.now().toISOString() }) };
    if (!(await ports.configuration.replace(after, before))) return undefined;
    await publish("source.opened", after, ports);
    return { value, revision: (before.revision ?? 0) + 1 };
  });
}

/** The time after which a request that deletes a source has ended, or was interrupted. */
const maxRequestMs = 60_000;

/**
 * Deletes an added source. After the removal, the event is published, the registration of the source's set is withdrawn,
 * its harvests end, its quality figures are deleted, and its documents are deleted if requested. If an attempt is interrupted before the last of these
 * steps, the next one repeats them as the interrupted one was asked for. For a source that does not exist, nothing is done.
 * @param isMeant returns false for a source that others have changed in the meantime
 * @returns undefined when the source does not exist
 * @throws ThrottledError when concurrent requests keep changing the source, or delete it with another choice of `documents`
 */
export async function deleteSource(
  id: string,
  documents: SourceDeletion["documents"],
  ports: AddedSourcePorts,
  isMeant: IsMeant = () => true,
): Promise<"deleted" | "imported" | "stale" | undefined> {
  const { configuration, clock } = ports;
  const outcome = await changeRepeatedly({ kind: "source", id }, ports, async (before) => {
    if (!isMeant(before.revision)) return "stale";
    if (before.addedBy !== "api") return "imported";
    await announce(before, ports);
    const { createdAt } = before;
    const other = await configuration.deletions.get(id);
    const now = clock.now();
    const isSame = other !== undefined && other.createdAt === createdAt;
    if (isSame && other.documents !== documents && isUnderWay(other, now)) {
      const retryAt = new Date(now.getTime() + maxRequestMs);
      throw new ThrottledError(`source ${id} is being deleted by another request: try again`, retryAt);
    }
    const deletion = { sourceId: id, documents, createdAt, deletedAt: now.toISOString() };
    if (!(await configuration.deletions.begin(deletion, other))) return undefined;
    return (await configuration.remove(before)) ? "deleted" : undefined;
  });
  const isFinished = await finishDeletion(id, ports);
  return outcome ?? (isFinished ? "deleted" : undefined);
}

/** Whether the request that has stored a deletion may still be running. */
function isUnderWay({ deletedAt }: SourceDeletion, now: Date): boolean {
  return Math.abs(now.getTime() - Date.parse(deletedAt)) < maxRequestMs;
}

function publish(
  type: "source.new" | "source.opened",
  item: ConfigurationItem,
  { events }: Pick<AddedSourcePorts, "events">,
): Promise<void> {
  const { id, value, changedAt = "" } = item;
  const changeId = digest(type, id, contentOf(value), changedAt);
  return events.publish({ type, changeId, detail: { sourceUri: `/sources/${id}`, sourceId: id } });
}
