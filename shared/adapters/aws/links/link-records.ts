import type { QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { LinkRecords } from "../../../links/status/link-records.ts";
import type { RecordCursor } from "../../../links/status/record-cursor.ts";
import type { RecordLink } from "../../../links/status/record-link.ts";
import { recordsByAttemptIndex, recordsByDigestIndex, recordsBySyndicationIndex } from "../../../names.ts";
import { buildSetExpression, getItem, queryPage, queryPages, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** Lists drop suppressed records after reading them: pages of this size, at most this many per list. */
const readAtOnce = 100;
const maxReads = 4;

/** `awaits` of a record with a next attempt: partition key of the index by attempt. */
const awaitsRecheck = "attempt";

const attributes = "recordId, collectionId, title, landingUrl, syndicatedAt, link";

/** The attributes of the table `records` that link checking uses: `link` is the link status. */
export function linkRecords(): LinkRecords {
  const TableName = variable("recordsTable");
  const query = (collectionId: string, input: Partial<QueryCommandInput>) =>
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
      const found: RecordLink[] = [];
      let from: Record<string, unknown> | undefined = after && { listedIn: collectionId, ...after };
      for (let reads = 0; reads < maxReads; reads += 1) {
        const { items, end } = await query(collectionId, {
          ScanIndexForward: false,
          Limit: readAtOnce,
          ...(from !== undefined && { ExclusiveStartKey: from }),
        });
        for (const item of items) {
          if ((item.link?.status ?? "active") === "active") found.push(item);
          if (found.length === limit) return { items: found, next: cursorOf(item) };
        }
        if (end === undefined) return { items: found };
        from = end;
      }
      return { items: found, ...(from !== undefined && { next: cursorOf(from) }) };
    },
    overduePages: (before) =>
      queryPages<RecordLink>({
        TableName,
        IndexName: recordsByAttemptIndex,
        KeyConditionExpression: "awaits = :attempt AND attemptAt < :before",
        ExpressionAttributeValues: { ":attempt": awaitsRecheck, ":before": before },
      }),
    async replaceLinkStatus({ recordId, collectionId, link }, linkStatus) {
      const isDeleted = linkStatus.status === "deleted";
      const attributes = {
        link: linkStatus,
        listedIn: isDeleted ? undefined : collectionId,
        awaits: linkStatus.nextAttemptAt && awaitsRecheck,
        attemptAt: linkStatus.nextAttemptAt,
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

/** From an item or a key of the index. */
function cursorOf({ syndicatedAt, recordId }: Partial<RecordLink>): RecordCursor {
  return { syndicatedAt: String(syndicatedAt), recordId: String(recordId) };
}
