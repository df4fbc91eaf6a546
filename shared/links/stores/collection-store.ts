import { expression, given, replacements } from "../../adapters/aws/expression.ts";
import { table, unchangedSince } from "../../adapters/aws/table.ts";
import { budgets } from "../../core/budgets.ts";
import { ThrottledError } from "../../core/errors.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import { collection, collectionStatusOf, type Hold, type StoredCollection } from "../status/collection.ts";
import { collectionFields } from "../status/collection-fields.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkStatus, StatusChange } from "../status/link-status.ts";

/** The number of times that writing a collection is tried while concurrent writes change it. */
const maxTries = 5;

// The saved fields. Saving removes omitted fields, but does not change the hold.
const { collectionId: _id, hold: _hold, ...savedFields } = collectionFields;
const unsaved = Object.fromEntries(Object.keys(savedFields).map((name) => [name, undefined]));

type CollectionItem = Record<string, unknown> & { collectionId: string };
type LinkStatusItem = LinkStatus & { collectionId: string };

/**
 * Stores collections and link statuses in one table, so that all collections can be read with one query, and so can all
 * link statuses.
 */
export function collectionStore(): CollectionStore {
  const collections = table<CollectionItem>({
    variable: "collectionsTable",
    key: (collectionId) => ({ kind: "collection", collectionId }),
    hidden: ["kind"],
  });
  const linkStatuses = table<LinkStatusItem>({
    variable: "collectionsTable",
    key: (collectionId) => ({ kind: "linkStatus", collectionId }),
    hidden: ["kind", "suppressedBy"],
  });
  const linkStatus = async (collectionId: string) => {
    const item = await linkStatuses.get(collectionId);
    return item && toLinkStatus(item);
  };
  const byCollection = (items: LinkStatusItem[]) =>
    new Map(items.map((item) => [item.collectionId, toLinkStatus(item)]));
  return {
    async get(collectionId) {
      const item = await collections.get(collectionId);
      return item && parseItem(item);
    },
    async all() {
      const items = await collections.query({ where: expression`kind = ${"collection"}` }).all();
      const read = items.map(parseItem);
      return {
        collections: read.flatMap((each) => ("collection" in each ? [each.collection] : [])),
        unusable: read.flatMap((each) => ("unusable" in each ? [each.unusable] : [])),
      };
    },
    async page({ limit, after }) {
      const later = given(after, (collectionId) => expression` AND collectionId > ${collectionId}`);
      const where = expression`kind = ${"collection"}${later}`;
      return (await collections.query({ where }).first(limit)).map(parseItem);
    },
    many: async (collectionIds) => (await collections.getMany(collectionIds)).map(parseItem),
    async status(collectionId) {
      const [item, status] = await Promise.all([collections.get(collectionId), linkStatus(collectionId)]);
      return collectionStatusOf({ hold: isHeld(item) }, status);
    },
    async save({ collectionId, ...attributes }, before) {
      const writeAfter = async (read: { revision?: number | undefined } | undefined) => {
        const change = expression`${replacements({ ...unsaved, ...attributes })}ADD revision ${1}`;
        const isWritten = await collections.updateIf(
          collectionId,
          change,
          unchangedSince(read, "collectionId"),
        );
        return isWritten ? (read?.revision ?? 0) + 1 : undefined;
      };
      if (before !== undefined) return writeAfter(before);
      for (let tries = 1; tries <= maxTries; tries += 1) {
        const item = await collections.get(collectionId);
        const revision = await writeAfter(item && { revision: revisionOf(item) });
        if (revision !== undefined) return revision;
      }
      throw new ThrottledError(
        `others keep changing the collection ${collectionId}`,
        new Date(Date.now() + 1_000),
      );
    },
    async setHold(collectionId, held, change) {
      const isHold = held !== undefined;
      const added = change === undefined ? [] : [change];
      const pending = pendingNotificationsOf(await collections.get(collectionId));
      const isFull = pending.length >= budgets.pendingHoldChanges;
      const earlier = isFull ? expression`${[]}` : expression`if_not_exists(pendingNotifications, ${[]})`;
      const by = isHold
        ? expression`, suppressedBy = ${"hold"}, held = ${held}`
        : expression` REMOVE suppressedBy, held`;
      const updated = await collections.updatedIf(
        collectionId,
        expression`SET hold = ${isHold}, pendingNotifications = list_append(${earlier}, ${added})${by}`,
        expression`attribute_exists(collectionId) AND (attribute_not_exists(hold) OR hold <> ${isHold})`,
      );
      return pendingNotificationsOf(updated ?? (await collections.get(collectionId)));
    },
    async clearPendingNotifications(collectionId, sent) {
      await collections.updateIf(
        collectionId,
        expression`REMOVE pendingNotifications`,
        expression`size(pendingNotifications) = ${sent.length}`,
      );
    },
    async remove(collectionId, before) {
      // The collection is removed first: without the collection, checks can no longer change the link status.
      const isUnchanged = before && unchangedSince(before, "collectionId");
      if (!(await collections.deleteIf(collectionId, isUnchanged))) return false;
      await linkStatuses.deleteIf(collectionId);
      return true;
    },
    linkStatus,
    async linkStatuses() {
      return byCollection(await linkStatuses.query({ where: expression`kind = ${"linkStatus"}` }).all());
    },
    linkStatusesOf: async (collectionIds) => byCollection(await linkStatuses.getMany(collectionIds)),
    replaceLinkStatus: (collectionId, status, was) =>
      linkStatuses.putIf(
        collectionId,
        { ...status, ...(status.status === "suppressed" && { suppressedBy: "checks" }) },
        was === undefined ? expression`attribute_not_exists(checkId)` : expression`checkId = ${was.checkId}`,
      ),
  };
}

function revisionOf(item: CollectionItem): number | undefined {
  return item.revision as number | undefined;
}

function isHeld(item: CollectionItem | undefined): boolean {
  return item?.hold === true;
}

function parseItem(item: CollectionItem): StoredCollection {
  const { pendingNotifications: _pending, suppressedBy: _index, revision: _revision, held, ...value } = item;
  const revision = revisionOf(item);
  const written = {
    ...(revision !== undefined && { revision }),
    ...(held !== undefined && { held: held as Hold }),
  };
  const { data, error } = collection.safeParse(value);
  if (error === undefined) return { collection: data, ...written };
  const { collectionId } = item;
  return { unusable: { collectionId, problem: describeProblems(error), hold: isHeld(item) }, ...written };
}

function pendingNotificationsOf(item: CollectionItem | undefined): StatusChange[] {
  return (item?.pendingNotifications ?? []) as StatusChange[];
}

function toLinkStatus({ collectionId: _id, ...linkStatus }: LinkStatusItem): LinkStatus {
  return linkStatus;
}
