import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { isNext, type TableDefinition, table } from "../../adapters/aws/table.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { qualityByDriftIndex, runRetentionDays } from "../../names.ts";
import { isOpen, judgedKey, type SourceDrifts, type SourceQuality } from "../quality/drift.ts";
import type { ListDriftedSources, QualityStore } from "../quality/quality-store.ts";

interface ItemKey {
  sourceId: string;
  part: string;
}

/** The item with the drifts of a source. It is listed in the index while one of them is open. */
const driftsPart = "drifts";
const driftedIn = "open";

const definition: TableDefinition<ItemKey> = {
  variable: "sourceQualityTable",
  key: ({ sourceId, part }) => ({ sourceId, part }),
};
const hidden = ["part", "expiresAt", "driftedIn", "driftedSince"];
const maxParallelDeletions = 32;

/** Stores an item per source and run with its figures, and an item per source with its drifts. */
export function qualityStore(): QualityStore {
  const items = table<SourceQuality, ItemKey>({ ...definition, hidden });
  const keysOfSource = table<ItemKey, ItemKey>(definition);
  const runPart = (position: Parameters<typeof judgedKey>[0]) => `run#${judgedKey(position)}`;
  return {
    save: (figures) =>
      items.putItem(
        { sourceId: figures.sourceId, part: runPart(figures) },
        { ...figures, expiresAt: ttlAfter(figures.startedAt, runRetentionDays) },
      ),
    latest: (sourceId, { limit, before, since = "" }) =>
      items
        .query({
          where: expression`sourceId = ${sourceId} AND part > ${`run#${since}`}`,
          isConsistent: true,
          isDescending: true,
          after: before && { sourceId, part: runPart(before) },
        })
        .first(limit),
    drifts: (sourceId) => items.get<SourceDrifts>({ sourceId, part: driftsPart }),
    saveDrifts(drifts) {
      const since = drifts.drifts.findLast(isOpen)?.since;
      return items.putIf(
        { sourceId: drifts.sourceId, part: driftsPart },
        { ...drifts, ...(since !== undefined && { driftedIn, driftedSince: since }) },
        isNext(drifts, "sourceId"),
      );
    },
    async forget(sourceId) {
      const keys = keysOfSource.query({
        where: expression`sourceId = ${sourceId}`,
        attributes: ["sourceId", "part"],
        isConsistent: true,
      });
      for await (const page of keys.pages())
        await inParallel(page, maxParallelDeletions, (key) => items.deleteItem(key));
    },
  };
}

/** Lists the sources that `qualityStore` marks as having open drifts, in one query. */
export function driftedSources(): ListDriftedSources {
  const items = table<SourceDrifts, ItemKey>({ ...definition, hidden });
  return (limit) =>
    items
      .query({
        index: qualityByDriftIndex,
        where: expression`driftedIn = ${driftedIn}`,
        isDescending: true,
      })
      .first(limit);
}
