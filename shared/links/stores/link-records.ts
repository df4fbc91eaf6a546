import { collectPage } from "../../adapters/aws/collect-page.ts";
import {
  assignments,
  attribute,
  type Expression,
  expression,
  given,
  list,
} from "../../adapters/aws/expression.ts";
import { type Selection, table } from "../../adapters/aws/table.ts";
import { newUnloggedMark } from "../../adapters/records/record-store.ts";
import { recordsByDigestIndex, recordsByLinkStateIndex, recordsBySyndicationIndex } from "../../names.ts";
import type { LinkRecords } from "../status/link-records.ts";
import type { RecordLink } from "../status/record-link.ts";

/** Lists read records before dropping unwanted ones. */
const readAtOnce = 100;

const attributes = ["recordId", "collectionId", "title", "landingUrl", "syndicatedAt", "link"];

/** Provides the attributes of the table `records` that link checking uses. The attribute `link` is the link status. */
export function linkRecords(): LinkRecords {
  const records = table<RecordLink>({ variable: "recordsTable", key: (recordId) => ({ recordId }) });
  const syndicated = (collectionId: string, more: Pick<Selection, "isDescending" | "after">) =>
    records.query({
      index: recordsBySyndicationIndex,
      where: expression`listedIn = ${collectionId}`,
      ...more,
    });
  const atEnd = async (collectionId: string, count: number, isDescending: boolean) =>
    (await syndicated(collectionId, { isDescending }).page(count)).items;

  return {
    get: (recordId) => records.get(recordId, { attributes }),
    oldest: (collectionId, count) => atEnd(collectionId, count, false),
    newest: (collectionId, count) => atEnd(collectionId, count, true),
    async listInIdOrder(collectionId, { after, limit }) {
      const later = given(after, (recordId) => expression` AND recordId > ${recordId}`);
      const where = expression`collectionId = ${collectionId}${later}`;
      return (await records.query({ index: recordsByDigestIndex, where }).page(limit)).items;
    },
    async list(collectionId, { limit, after }) {
      const { items, last } = await collectPage<RecordLink>(
        (from) => syndicated(collectionId, { isDescending: true, after: from }).page(readAtOnce),
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
      const { items, last } = await collectPage<RecordLink & { linkState: string; linkStateAt: string }>(
        (from) =>
          records
            .query<RecordLink & { linkState: string; linkStateAt: string }>({
              index: recordsByLinkStateIndex,
              where: expression`linkState = ${state}`,
              // Suppressed records: next attempt first. Deleted records: last deletion first.
              isDescending: state !== "suppressed",
              after: from,
            })
            .page(readAtOnce),
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
    overduePages(before) {
      const where = expression`linkState = ${"suppressed"} AND linkStateAt < ${before}`;
      return records.query({ index: recordsByLinkStateIndex, where }).pages();
    },
    replaceLinkStatus({ recordId, collectionId, link }, linkStatus) {
      const { status, since, nextAttemptAt = since } = linkStatus;
      const index = {
        listedIn: status === "deleted" ? undefined : collectionId,
        linkState: status === "active" ? undefined : status,
        linkStateAt: status === "active" ? undefined : nextAttemptAt,
      };
      return records.updateIf(
        recordId,
        expression`SET ${assignments({ link: linkStatus, ...index, ...newUnloggedMark(recordId) })}${removal(index)}`,
        expression`attribute_exists(recordId) AND ${link === undefined ? expression`attribute_not_exists(link)` : expression`link.checkId = ${link.checkId}`}`,
      );
    },
    claimCheck: (recordId, { requestedAt, notSince }) =>
      records.updateIf(
        recordId,
        expression`SET checkRequestedAt = ${requestedAt}`,
        expression`attribute_exists(recordId) AND (attribute_not_exists(checkRequestedAt) OR checkRequestedAt < ${notSince})`,
      ),
    async releaseCheck(recordId, requestedAt) {
      await records.updateIf(
        recordId,
        expression`REMOVE checkRequestedAt`,
        expression`checkRequestedAt = ${requestedAt}`,
      );
    },
  };
}

/** Removes the attributes that are undefined, if any. */
function removal(attributes: object): Expression {
  const gone = Object.entries(attributes).filter(([, value]) => value === undefined);
  if (gone.length === 0) return expression``;
  return expression` REMOVE ${list(gone.map(([name]) => attribute(name)))}`;
}
