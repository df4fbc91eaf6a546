import {
  buildSetExpression,
  getItem,
  type Query,
  queryPage,
  queryPages,
  updateIf,
} from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { recordsByDigestIndex, recordsByLinkStateIndex, recordsBySyndicationIndex } from "../../names.ts";
import type { LinkRecords } from "../status/link-records.ts";
import type { RecordLink } from "../status/record-link.ts";

/** Lists drop records that are not wanted after reading them: pages of this size, at most this many per list. */
const readAtOnce = 100;
const maxReads = 4;

const attributes = "recordId, collectionId, title, landingUrl, syndicatedAt, link";

/** The attributes of the table `records` that link checking uses: `link` is the link status. */
export function linkRecords(): LinkRecords {
  const TableName = variable("recordsTable");
  const query = (collectionId: string, input: Partial<Query>) =>
    queryPage<RecordLink>({
      TableName,
      IndexName: recordsBySyndicationIndex,
      KeyConditionExpression: "listedIn = :collectionId",
      ...input,
      ExpressionAttributeValues: { ":collectionId": collectionId, ...input.ExpressionAttributeValues },
    });
  const atEnd = async (collectionId: string, count: number, ScanIndexForward: boolean) =>
    (await query(collectionId, { ScanIndexForward, Limit: count })).items;

  return {
    get: (recordId) =>
      getItem<RecordLink>({
        TableName,
        Key: { recordId },
        ConsistentRead: true,
        ProjectionExpression: attributes,
      }),
    oldest: (collectionId, count) => atEnd(collectionId, count, true),
    newest: (collectionId, count) => atEnd(collectionId, count, false),
    async listInIdOrder(collectionId, { after, limit }) {
      const { items } = await query(collectionId, {
        IndexName: recordsByDigestIndex,
        Limit: limit,
        KeyConditionExpression: `collectionId = :collectionId${after === undefined ? "" : " AND recordId > :after"}`,
        ...(after !== undefined && { ExpressionAttributeValues: { ":after": after } }),
      });
      return items;
    },
    async list(collectionId, { limit, after }) {
      const { items, last } = await collect<RecordLink>(
        (page) => query(collectionId, { ScanIndexForward: false, ...page }),
        {
          limit,
          from: after && { listedIn: collectionId, ...after },
          isWanted: ({ link }) => (link?.status ?? "active") === "active",
        },
      );
      const { syndicatedAt, recordId } = last ?? {};
      return {
        items,
        ...(last && { next: { syndicatedAt: String(syndicatedAt), recordId: String(recordId) } }),
      };
    },
    async listByState(state, { collectionId, limit, after }) {
      const { items, last } = await collect<RecordLink & { linkState: string; linkStateAt: string }>(
        (page) =>
          queryPage({
            TableName,
            IndexName: recordsByLinkStateIndex,
            KeyConditionExpression: "linkState = :state",
            ExpressionAttributeValues: { ":state": state },
            // Suppressed: the next attempt first; deleted: the last deletion first.
            ScanIndexForward: state === "suppressed",
            ...page,
          }),
        {
          limit,
          from: after && { linkState: state, linkStateAt: after.at, recordId: after.recordId },
          isWanted: (record) => collectionId === undefined || record.collectionId === collectionId,
        },
      );
      const { linkStateAt, recordId } = last ?? {};
      return {
        items: items.map(({ linkState: _state, linkStateAt: _at, ...record }) => record),
        ...(last && { next: { at: String(linkStateAt), recordId: String(recordId) } }),
      };
    },
    overduePages: (before) =>
      queryPages<RecordLink>({
        TableName,
        IndexName: recordsByLinkStateIndex,
        KeyConditionExpression: "linkState = :suppressed AND linkStateAt < :before",
        ExpressionAttributeValues: { ":suppressed": "suppressed", ":before": before },
      }),
    async replaceLinkStatus({ recordId, collectionId, link }, linkStatus) {
      const { status, since, nextAttemptAt = since } = linkStatus;
      const attributes = {
        link: linkStatus,
        listedIn: status === "deleted" ? undefined : collectionId,
        ...(status === "active"
          ? { linkState: undefined, linkStateAt: undefined }
          : { linkState: status, linkStateAt: nextAttemptAt }),
      };
      const { set, names, values } = buildSetExpression(
        Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)),
      );
      const gone = Object.entries(attributes).filter(([, value]) => value === undefined);
      return updateIf({
        TableName,
        Key: { recordId },
        UpdateExpression: [
          set,
          ...(gone.length === 0 ? [] : [`REMOVE ${gone.map(([name]) => name).join(", ")}`]),
        ].join(" "),
        ConditionExpression: `attribute_exists(recordId) AND ${link === undefined ? "attribute_not_exists(#link)" : "#link.checkId = :was"}`,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ":was": link?.checkId },
      });
    },
    async claimCheck(recordId, { requestedAt, notSince }) {
      return updateIf({
        TableName,
        Key: { recordId },
        UpdateExpression: "SET checkRequestedAt = :requestedAt",
        ConditionExpression:
          "attribute_exists(recordId) AND (attribute_not_exists(checkRequestedAt) OR checkRequestedAt < :notSince)",
        ExpressionAttributeValues: { ":requestedAt": requestedAt, ":notSince": notSince },
      });
    },
    async releaseCheck(recordId, requestedAt) {
      await updateIf({
        TableName,
        Key: { recordId },
        UpdateExpression: "REMOVE checkRequestedAt",
        ConditionExpression: "checkRequestedAt = :requestedAt",
        ExpressionAttributeValues: { ":requestedAt": requestedAt },
      });
    },
  };
}

/**
 * The wanted items of a query, up to a limit; fewer when `maxReads` pages of the index have no more of them.
 * @returns `last`: an item, or a key of the index, after which to continue; absent at the end
 */
async function collect<Item>(
  read: (
    page: Pick<Query, "Limit" | "ExclusiveStartKey">,
  ) => Promise<{ items: Item[]; end: Record<string, unknown> | undefined }>,
  options: {
    limit: number;
    from: Record<string, unknown> | undefined;
    isWanted: (item: Item) => boolean;
  },
): Promise<{ items: Item[]; last?: Record<string, unknown> | Item }> {
  const found: Item[] = [];
  let { from } = options;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const page = { Limit: readAtOnce, ...(from !== undefined && { ExclusiveStartKey: from }) };
    const { items, end } = await read(page);
    for (const item of items) {
      if (options.isWanted(item)) found.push(item);
      if (found.length === options.limit) return { items: found, last: item };
    }
    if (end === undefined) return { items: found };
    from = end;
  }
  return { items: found, ...(from !== undefined && { last: from }) };
}
