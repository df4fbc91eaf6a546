import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import { parseInput } from "../../core/schema-problems.ts";
import { changeRepeatedly, contentOf, type IsMeant } from "./change-item.ts";
import type { ConfigurationStore } from "./conf/configuration-store.ts";
import type { ConfigurationItem } from "./configuration.ts";
import { type Group, group } from "./group.ts";
import { operatorFields } from "./operator-fields.ts";

export interface AddedGroupPorts {
  configuration: Pick<ConfigurationStore, "item" | "add" | "replace" | "remove" | "page">;
  clock: Clock;
}

interface StoredGroup {
  value: Group;
  revision: number;
}

const strictGroup = group.strict();
const settable: ReadonlySet<string> = new Set(operatorFields.group.map(({ path }) => path));

/** The number of sources that are read at a time, and of sources that are named to the operator. */
const pageSize = 500;
const maxNamed = 5;

/**
 * Adds a group that is not in a configuration file. Imports leave such groups unchanged. Adding a group again with the
 * same fields changes nothing.
 * @returns the group with its revision; undefined when another group has the id
 * @throws InputError that names the first field that is invalid or unknown, and its value
 */
export async function addGroup(
  input: unknown,
  { configuration, clock }: AddedGroupPorts,
): Promise<StoredGroup | undefined> {
  const value = parseInput(strictGroup, input);
  const changedAt = clock.now().toISOString();
  const item: ConfigurationItem = { kind: "group", id: value.groupId, value, addedBy: "api", changedAt };
  if (await configuration.add(item)) return { value, revision: 1 };
  const stored = await configuration.item(item);
  if (stored?.addedBy !== "api" || contentOf(stored.value) !== contentOf(value)) return undefined;
  return { value, revision: stored.revision ?? 0 };
}

/**
 * Changes a group: any field except the id of an added group, the operator fields of an imported group. Omitted fields
 * are kept; null resets a field.
 * @returns undefined when the group does not exist
 * @throws InputError for a field that cannot be set, or an invalid value
 * @throws ThrottledError when concurrent requests keep changing the group
 */
export function changeGroup(
  id: string,
  change: Readonly<Record<string, unknown>>,
  ports: AddedGroupPorts,
  isMeant: IsMeant = () => true,
): Promise<StoredGroup | "stale" | undefined> {
  return changeRepeatedly({ kind: "group", id }, ports, async (before) => {
    if (!isMeant(before.revision)) return "stale" as const;
    for (const [field, wanted] of Object.entries(change)) assertSettable(field, wanted, before);
    const fields = Object.entries({ ...before.value, ...change }).filter(([, wanted]) => wanted !== null);
    const value = parseInput(strictGroup, Object.fromEntries(fields));
    const changedAt = ports.clock.now().toISOString();
    if (!(await ports.configuration.replace({ ...before, value, changedAt }, before))) return undefined;
    return { value, revision: (before.revision ?? 0) + 1 };
  });
}

function assertSettable(field: string, wanted: unknown, { addedBy }: ConfigurationItem): void {
  if (field === "groupId") throw new InputError(field, wanted, "cannot be changed: add another group");
  if (!Object.hasOwn(group.shape, field))
    throw new InputError(field, wanted, "there is no such field of a group");
  if (addedBy !== "api" && !settable.has(field))
    throw new InputError(field, wanted, "comes from the configuration file: change it there, and import it");
}

/**
 * Deletes an added group that no source uses.
 * @returns undefined when the group does not exist; `usedBy`: the ids of the first sources that use it
 * @throws ThrottledError when concurrent requests keep changing the group
 */
export function deleteGroup(
  id: string,
  ports: AddedGroupPorts,
  isMeant: IsMeant = () => true,
): Promise<"deleted" | "imported" | "stale" | { usedBy: string[] } | undefined> {
  return changeRepeatedly({ kind: "group", id }, ports, async (before) => {
    if (!isMeant(before.revision)) return "stale";
    if (before.addedBy !== "api") return "imported";
    const usedBy = await sourcesOf(id, ports);
    if (usedBy.length > 0) return { usedBy };
    return (await ports.configuration.remove(before)) ? "deleted" : undefined;
  });
}

async function sourcesOf(groupId: string, { configuration }: AddedGroupPorts): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await configuration.page("source", { limit: pageSize, after });
    found.push(...page.filter(({ value }) => value.groupId === groupId).map(({ id }) => id));
    after = page.length < pageSize ? undefined : page.at(-1)?.id;
  } while (after !== undefined && found.length < maxNamed);
  return found.slice(0, maxNamed);
}
