import { collectPage } from "../../adapters/aws/collect-page.ts";
import { attribute, expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { recordsByDisagreementIndex, recordsByNoticeIndex, recordsByWitnessIndex } from "../../names.ts";
import { isOriginSelected } from "../../records/origin/origin-summary.ts";
import type { RecordOrigin, RecordOrigins } from "../origins/record-origins.ts";

const readAtOnce = 100;

/** The index of each list, and its partition key. */
const indexes = {
  notices: { index: recordsByNoticeIndex, key: "noticeKind" },
  disagreements: { index: recordsByDisagreementIndex, key: "disagreesIn" },
  witnesses: { index: recordsByWitnessIndex, key: "witnessedIn" },
} as const;

export function recordOrigins(): RecordOrigins {
  const records = table<RecordOrigin>({
    variable: "recordsTable",
    key: (recordId) => ({ recordId }),
    hidden: Object.values(indexes).map(({ key }) => key),
  });
  return {
    async list({ type, of }, { sourceId, state, limit, after, ...selection }) {
      const { index, key } = indexes[type];
      const { items, last } = await collectPage<RecordOrigin>(
        (from) =>
          records
            .query({
              index,
              where: expression`${attribute(key)} = ${of}`,
              isDescending: true,
              after: from,
            })
            .page(readAtOnce),
        {
          limit,
          from: after && { [key]: of, ...after },
          isWanted: (record) =>
            (sourceId === undefined || record.sourceId === sourceId) &&
            (state === undefined || record.state === state) &&
            isOriginSelected(selection, record),
        },
      );
      const { syndicatedAt, recordId } = last ?? {};
      return {
        records: items,
        ...(last && { next: { syndicatedAt: String(syndicatedAt), recordId: String(recordId) } }),
      };
    },
  };
}
