import {
  deleteIf,
  getAll,
  getItem,
  queryFirst,
  queryPages,
  ttlAfter,
  updateIf,
} from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { getJson, putJson } from "../../adapters/aws/s3.ts";
import { delinquentsByReasonIndex, delinquentsByReleaseIndex, objectKeys } from "../../names.ts";
import { refusedDays } from "../../records/archive/archive-entry.ts";
import type { DelinquentRecord } from "../delinquent/delinquent-record.ts";
import type { DelinquentStore } from "../delinquent/delinquent-store.ts";
import { groupByReason, queueKeyOf, reasonPrefix } from "../delinquent/refusal-reason.ts";
import type { Finding } from "../validation/finding.ts";

/**
 * Findings stored with a record: an item takes 400 KB, and a record may have hundreds. The records bucket has all of
 * them.
 */
const maxListedFindings = 5;

/**
 * Partition key `deliveryMode`, sort key `part` (source and record). A released record also has the mode as
 * `releasedIn`, the key of an index, and does not expire. One that is not has its place in
 * the queue of its mode as `queueKey`, the key of another.
 */
export function delinquentStore(): DelinquentStore {
  const TableName = variable("delinquentRecordsTable");
  const list = async (record: DelinquentRecord, ConditionExpression: string) => {
    const { document, findings, findingCount, refusedAt } = record;
    const isListed = await updateIf({
      TableName,
      Key: keyOf(record),
      UpdateExpression:
        "SET document = :document, findings = :findings, findingCount = :count, refusedAt = :refusedAt, firstRefusedAt = if_not_exists(firstRefusedAt, :refusedAt), expiresAt = :expiresAt, queueKey = :queueKey",
      ConditionExpression,
      ExpressionAttributeValues: {
        ":document": document,
        ":findings": findings.slice(0, maxListedFindings),
        ":count": findingCount,
        ":refusedAt": refusedAt,
        ":expiresAt": ttlAfter(refusedAt, refusedDays),
        ":queueKey": queueKeyOf(record),
      },
    });
    // Last, so that the findings of a later run stay.
    if (isListed) await putJson(variable("recordsBucket"), findingsKey(record), JSON.stringify(findings));
    return isListed;
  };
  return {
    async save(record) {
      await list(
        record,
        "attribute_not_exists(part) OR (attribute_not_exists(released) AND refusedAt <= :refusedAt)",
      );
    },
    updateFindings: (record) => list(record, "attribute_not_exists(released) AND refusedAt = :refusedAt"),
    async listedSince(deliveryMode, documents) {
      const parts = new Map(documents.map((document) => [keyOf({ deliveryMode, document }).part, document]));
      const items = await getAll<{ part: string; firstRefusedAt: string }>(TableName, {
        Keys: [...parts.keys()].map((part) => ({ deliveryMode, part })),
        ProjectionExpression: "part, firstRefusedAt",
        ConsistentRead: true,
      });
      return new Map(
        items.flatMap(({ part, firstRefusedAt }) => {
          const document = parts.get(part);
          return document === undefined ? [] : [[document.recordId, firstRefusedAt]];
        }),
      );
    },
    releasedPages: (mode) =>
      queryPages<DelinquentRecord>({
        TableName,
        IndexName: delinquentsByReleaseIndex,
        KeyConditionExpression: "releasedIn = :mode",
        ExpressionAttributeValues: { ":mode": mode },
      }),
    listBySource: (mode, sourceId, { limit, after }) =>
      queryFirst<DelinquentRecord>(
        {
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: "deliveryMode = :mode AND begins_with(part, :source)",
          ExpressionAttributeValues: { ":mode": mode, ":source": partOf(sourceId, "") },
          ...(after !== undefined && {
            ExclusiveStartKey: { deliveryMode: mode, part: partOf(sourceId, after) },
          }),
        },
        limit,
      ),
    async reasons(mode) {
      const keys: string[] = [];
      const query = { ...queueOf(mode), ProjectionExpression: "queueKey" };
      for await (const page of queryPages<{ queueKey: string }>(query))
        for (const { queueKey } of page) keys.push(queueKey);
      return groupByReason(keys);
    },
    async queue(mode, { reason, limit, after }) {
      const query = {
        ...queueOf(mode, reason === undefined ? undefined : reasonPrefix(reason)),
        ...(after !== undefined && {
          // A place in the queue is the reason, and the record's sort key after it.
          ExclusiveStartKey: {
            deliveryMode: mode,
            queueKey: after,
            part: after.slice(after.indexOf("#") + 1),
          },
        }),
      };
      const keys = await queryFirst<{ queueKey: string; part: string }>(query, limit);
      const items = await getAll<DelinquentRecord & { part: string }>(TableName, {
        Keys: keys.map(({ part }) => ({ deliveryMode: mode, part })),
        ConsistentRead: true,
      });
      const byPart = new Map(items.map((item) => [item.part, item]));
      const found = keys.flatMap(({ part }) => byPart.get(part) ?? []);
      const next = keys.length < limit ? undefined : keys.at(-1)?.queueKey;
      // The index lags behind: what was released since is no longer in the queue.
      const records = found.filter(({ released }) => released === undefined);
      return { records, ...(next !== undefined && { next }) };
    },
    note: (record, note) =>
      updateIf({
        TableName,
        Key: keyOf(record),
        UpdateExpression: "SET note = :note",
        ConditionExpression: "attribute_exists(part)",
        ExpressionAttributeValues: { ":note": note },
      }),
    get(mode, sourceId, recordId) {
      const Key = { deliveryMode: mode, part: partOf(sourceId, recordId) };
      return getItem<DelinquentRecord>({ TableName, Key, ConsistentRead: true });
    },
    findings: (record) => getJson<Finding[]>(variable("recordsBucket"), findingsKey(record)),
    release: (record, released) =>
      updateIf({
        TableName,
        Key: keyOf(record),
        UpdateExpression:
          "SET released = if_not_exists(released, :released), releasedIn = :mode REMOVE expiresAt, queueKey",
        ConditionExpression: "attribute_exists(part)",
        ExpressionAttributeValues: { ":released": released, ":mode": record.deliveryMode },
      }),
    async remove(record, { upTo, includesReleased }) {
      await deleteIf({
        TableName,
        Key: keyOf(record),
        ConditionExpression: `refusedAt <= :upTo${includesReleased ? "" : " AND attribute_not_exists(released)"}`,
        ExpressionAttributeValues: { ":upTo": upTo },
      });
    },
  };
}

/** The queue of a mode, or the part whose places begin so. The index has keys alone. */
function queueOf(mode: string, prefix?: string) {
  return {
    TableName: variable("delinquentRecordsTable"),
    IndexName: delinquentsByReasonIndex,
    KeyConditionExpression: `deliveryMode = :mode${prefix === undefined ? "" : " AND begins_with(queueKey, :prefix)"}`,
    ExpressionAttributeValues: { ":mode": mode, ...(prefix !== undefined && { ":prefix": prefix }) },
  };
}

function keyOf({ deliveryMode, document }: Pick<DelinquentRecord, "deliveryMode" | "document">): {
  deliveryMode: string;
  part: string;
} {
  return { deliveryMode, part: partOf(document.sourceId, document.recordId) };
}

function partOf(sourceId: string, recordId: string): string {
  return `${sourceId}#${recordId}`;
}

function findingsKey({ deliveryMode, document }: DelinquentRecord): string {
  return objectKeys.findings(deliveryMode, document.sourceId, document.recordId);
}
