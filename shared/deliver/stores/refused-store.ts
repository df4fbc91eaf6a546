import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { assignments, type Expression, expression, given } from "../../adapters/aws/expression.ts";
import { getJson, putJson } from "../../adapters/aws/s3.ts";
import { type Selection, table } from "../../adapters/aws/table.ts";
import { objectKeys, refusedByReasonIndex, refusedByReleaseIndex } from "../../names.ts";
import { refusedDays } from "../../records/archive/archive-entry.ts";
import { groupByReason, queueKeyOf, reasonPrefix } from "../refused/refusal-reason.ts";
import type { RefusedRecord } from "../refused/refused-record.ts";
import type { RefusedStore } from "../refused/refused-store.ts";
import type { Finding } from "../validation/finding.ts";

/**
 * The number of findings that are stored with a record. An item has at most 400 KB, and a record may have hundreds of
 * findings. The records bucket contains all of them.
 */
const maxListedFindings = 5;

/** The sort key `part` consists of the source and the record. */
interface ItemKey {
  deliveryMode: string;
  part: string;
}

/**
 * Stores refused records. A released record also has its mode as `releasedIn`, the key of an index, and does not
 * expire. An unreleased record has its position in the queue of its mode as `queueKey`, the key of another index.
 */
export function refusedStore(): RefusedStore {
  const refusedRecords = table<RefusedRecord, ItemKey>({
    variable: "delinquentRecordsTable",
    key: ({ deliveryMode, part }) => ({ deliveryMode, part }),
  });
  /** Selects the queue of a mode, or the part of it whose keys begin with the prefix. The index contains only keys. */
  const queueOf = (mode: string, prefix?: string): Selection => {
    const begins = given(prefix, (value) => expression` AND begins_with(queueKey, ${value})`);
    return { index: refusedByReasonIndex, where: expression`deliveryMode = ${mode}${begins}` };
  };
  const list = async (record: RefusedRecord, condition: Expression) => {
    const { document, findings, findingCount, refusedAt } = record;
    const listed = {
      document,
      findings: findings.slice(0, maxListedFindings),
      findingCount,
      refusedAt,
      expiresAt: ttlAfter(refusedAt, refusedDays),
      queueKey: queueKeyOf(record),
    };
    const isListed = await refusedRecords.updateIf(
      keyOf(record),
      expression`SET ${assignments(listed)}, firstRefusedAt = if_not_exists(firstRefusedAt, ${refusedAt})`,
      condition,
    );
    // The findings are stored last, so that the findings of a later run are kept.
    if (isListed) await putJson(variable("recordsBucket"), findingsKey(record), JSON.stringify(findings));
    return isListed;
  };
  return {
    async save(record) {
      const isEarlier = expression`attribute_not_exists(released) AND refusedAt <= ${record.refusedAt}`;
      await list(record, expression`attribute_not_exists(part) OR (${isEarlier})`);
    },
    updateFindings: (record) =>
      list(record, expression`attribute_not_exists(released) AND refusedAt = ${record.refusedAt}`),
    async listedSince(deliveryMode, documents) {
      const parts = new Map(documents.map((document) => [keyOf({ deliveryMode, document }).part, document]));
      const keys = [...parts.keys()].map((part) => ({ deliveryMode, part }));
      const items = await refusedRecords.getMany<{ part: string; firstRefusedAt: string }>(keys, {
        attributes: ["part", "firstRefusedAt"],
      });
      return new Map(
        items.flatMap(({ part, firstRefusedAt }) => {
          const document = parts.get(part);
          return document === undefined ? [] : [[document.recordId, firstRefusedAt]];
        }),
      );
    },
    releasedPages: (mode) =>
      refusedRecords.query({ index: refusedByReleaseIndex, where: expression`releasedIn = ${mode}` }).pages(),
    listBySource: (mode, sourceId, { limit, after }) =>
      refusedRecords
        .query({
          where: expression`deliveryMode = ${mode} AND begins_with(part, ${partOf(sourceId, "")})`,
          isConsistent: true,
          after: after === undefined ? undefined : { deliveryMode: mode, part: partOf(sourceId, after) },
        })
        .first(limit),
    async reasons(mode) {
      const keys: string[] = [];
      const queue = refusedRecords.query<{ queueKey: string }>({
        ...queueOf(mode),
        attributes: ["queueKey"],
      });
      for await (const page of queue.pages()) for (const { queueKey } of page) keys.push(queueKey);
      return groupByReason(keys);
    },
    async queue(mode, { reason, limit, after }) {
      const keys = await refusedRecords
        .query<{ queueKey: string; part: string }>({
          ...queueOf(mode, reason === undefined ? undefined : reasonPrefix(reason)),
          // A position in the queue consists of the reason and the record's sort key.
          after:
            after === undefined
              ? undefined
              : { deliveryMode: mode, queueKey: after, part: after.slice(after.indexOf("#") + 1) },
        })
        .first(limit);
      const items = await refusedRecords.getMany<RefusedRecord & { part: string }>(
        keys.map(({ part }) => ({ deliveryMode: mode, part })),
      );
      const byPart = new Map(items.map((item) => [item.part, item]));
      const found = keys.flatMap(({ part }) => byPart.get(part) ?? []);
      const next = keys.length < limit ? undefined : keys.at(-1)?.queueKey;
      // The index may be out of date: records that have been released meanwhile are no longer in the queue.
      const records = found.filter(({ released }) => released === undefined);
      return { records, ...(next !== undefined && { next }) };
    },
    note: (record, note) =>
      refusedRecords.updateIf(
        keyOf(record),
        expression`SET note = ${note}`,
        expression`attribute_exists(part)`,
      ),
    get: (deliveryMode, sourceId, recordId) =>
      refusedRecords.get({ deliveryMode, part: partOf(sourceId, recordId) }),
    findings: (record) => getJson<Finding[]>(variable("recordsBucket"), findingsKey(record)),
    release: (record, released) =>
      refusedRecords.updateIf(
        keyOf(record),
        expression`SET released = if_not_exists(released, ${released}), releasedIn = ${record.deliveryMode} REMOVE expiresAt, queueKey`,
        expression`attribute_exists(part)`,
      ),
    async remove(record, { upTo, includesReleased }) {
      const isListed = includesReleased ? expression`` : expression` AND attribute_not_exists(released)`;
      await refusedRecords.deleteIf(keyOf(record), expression`refusedAt <= ${upTo}${isListed}`);
    },
  };
}

function keyOf({ deliveryMode, document }: Pick<RefusedRecord, "deliveryMode" | "document">): ItemKey {
  return { deliveryMode, part: partOf(document.sourceId, document.recordId) };
}

function partOf(sourceId: string, recordId: string): string {
  return `${sourceId}#${recordId}`;
}

function findingsKey({ deliveryMode, document }: RefusedRecord): string {
  return objectKeys.findings(deliveryMode, document.sourceId, document.recordId);
}
