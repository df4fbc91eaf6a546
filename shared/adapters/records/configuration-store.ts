import type { ConfigurationStore, SourceDeletion } from "../../records/sources/conf/configuration-store.ts";
import { type ConfigurationItem, configurationKinds } from "../../records/sources/configuration.ts";
import { type Expression, expression, given, replacements } from "../aws/expression.ts";
import { table, unchangedSince } from "../aws/table.ts";

/** Writes the table that `sourceStore` reads. Only operators and imports use this store, not the functions of a run. */
export function configurationStore(): ConfigurationStore & {
  /** Deletes an item, whatever its content. */
  discard(item: Pick<ConfigurationItem, "kind" | "id">): Promise<void>;
} {
  const items = table<ConfigurationItem, { kind: string; id: string }>({
    variable: "configurationTable",
    key: ({ kind, id }) => ({ kind, id }),
  });
  const deletions = table<SourceDeletion, string>({
    variable: "configurationTable",
    key: (id) => ({ kind: "deletion", id }),
    hidden: ["kind", "id"],
  });
  const ofKind = (kind: string, after?: string) =>
    items.query({
      where: expression`kind = ${kind}${given(after, (id) => expression` AND id > ${id}`)}`,
      isConsistent: true,
    });
  const replace = (item: ConfigurationItem, before: ConfigurationItem | undefined) =>
    items.putIf(item, { ...item, revision: (before?.revision ?? 0) + 1 }, isStill(before));
  const remove = (before: ConfigurationItem) => items.deleteIf(before, isStill(before));
  return {
    put: (item) => items.putItem(item, item),
    discard: (item) => items.deleteItem(item),
    add: (item) => replace(item, undefined),
    remove,
    noteAnnounced: (before) => items.updateIf(before, expression`REMOVE isUnannounced`, isStill(before)),
    deletions: {
      begin: (deletion, over) =>
        deletions.putIf(
          deletion.sourceId,
          deletion,
          over === undefined ? expression`attribute_not_exists(id)` : isStored(over),
        ),
      get: (sourceId) => deletions.get(sourceId),
      end: async (deletion) => {
        await deletions.deleteIf(deletion.sourceId, isStored(deletion));
      },
    },
    item: (key) => items.get(key),
    page: (kind, { limit, after }) => ofKind(kind, after).first(limit),
    replace,
    setFields: (key, fields, before) =>
      items.updateIf(
        key,
        expression`${replacements(fields, "value")}ADD revision ${1}`,
        before === undefined ? expression`attribute_exists(id)` : isStill(before),
      ),
    async items() {
      return (await Promise.all(configurationKinds.map((kind) => ofKind(kind).all()))).flat();
    },
    async latestVersion() {
      const where = expression`kind = ${"version"}`;
      const latest = items.query<{ version: number }>({ where, isDescending: true, isConsistent: true });
      return (await latest.page(1)).items[0]?.version ?? 0;
    },
    claimVersion: (version) => items.putNew({ kind: "version", id: paddedVersion(version.version) }, version),
    async apply(change, version) {
      const { type, item } = change;
      const key = { kind: changesKind(version), id: `${item.kind}#${item.id}` };
      const before = type === "changed" ? change.before : item;
      await items.putItem(key, { change: type, ...(type !== "added" && { before }) });
      if (type === "removed") return remove(item);
      return replace({ ...item, version }, type === "changed" ? change.before : undefined);
    },
  };
}

/** The condition that an item is the one that was read: not changed, and not deleted and added again. */
function isStill(before: ConfigurationItem | undefined): Expression {
  const isUnchanged = unchangedSince(before, "id");
  if (before?.createdAt === undefined) return isUnchanged;
  return expression`${isUnchanged} AND createdAt = ${before.createdAt}`;
}

function isStored({ documents, deletedAt }: SourceDeletion): Expression {
  return expression`documents = ${documents} AND deletedAt = ${deletedAt}`;
}

/** Returns the kind of the changes of a version. */
export function changesKind(version: number): string {
  return `version#${paddedVersion(version)}`;
}

/** Pads version numbers with zeros, so that they sort as text in numerical order. */
export function paddedVersion(version: number): string {
  return String(version).padStart(8, "0");
}
