import { InputError } from "../../core/errors.ts";
import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import type { Group } from "../../records/sources/group.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";

/**
 * The group of a source that is to be added: the named one, or the only one.
 * @throws InputError when there is no such group, or several and none is named
 */
export async function chooseGroup(
  groupId: string | undefined,
  {
    sources,
    configuration,
  }: { sources: Pick<SourceStore, "group">; configuration: Pick<ConfigurationStore, "page"> },
): Promise<Group> {
  const [first, second] = groupId === undefined ? await configuration.page("group", { limit: 2 }) : [];
  if (first !== undefined && second !== undefined)
    throw new InputError("groupId", groupId, "is needed, as there are several groups");
  const id = groupId ?? first?.id;
  const group = id === undefined ? undefined : await sources.group(id);
  if (group === undefined) throw new InputError("groupId", id, "there is no such group");
  return group;
}
