import { ThrottledError } from "../../core/errors.ts";
import {
  type RecentRun,
  type SourceStatus,
  type SourceStatusStore,
  withRecentRun,
} from "../../records/sources/source-status.ts";
import { expression } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/** The value is JSON, because a list of a thousand sources has the runs of each source. */
interface RunsItem {
  sourceId: string;
  recentRuns?: string;
}

/** The number of attempts to note a run, if another run has been noted in the meantime. */
const maxTries = 5;

/** Stores one item per source. `oai-harvest-store.ts` keeps the state of the source's long harvest in the same item. */
export function sourceStatusStore(): SourceStatusStore {
  const sources = table<SourceStatus>({
    variable: "sourceStatusTable",
    key: (sourceId) => ({ sourceId }),
  });
  // The read is consistent, because the archive stage has just written the item.
  const runItems = (sourceIds: readonly string[]) =>
    sources.getMany<RunsItem>([...new Set(sourceIds)], { attributes: ["sourceId", "recentRuns"] });
  return {
    async statuses(sourceIds) {
      const attributes = ["sourceId", "addedAt", "lastDeliveredAt"];
      const items = await sources.getMany([...new Set(sourceIds)], { attributes });
      return new Map(items.map((item) => [item.sourceId, item]));
    },
    recentRuns: async (sourceIds) =>
      new Map((await runItems(sourceIds)).map((item) => [item.sourceId, runsOf(item)])),
    async markAdded(sourceId, at) {
      await sources.updateItem(sourceId, expression`SET addedAt = if_not_exists(addedAt, ${at})`);
    },
    async markDelivered(sourceId, at) {
      await sources.updateIf(
        sourceId,
        expression`SET lastDeliveredAt = ${at}`,
        expression`attribute_not_exists(lastDeliveredAt) OR lastDeliveredAt < ${at}`,
      );
    },
    async addRun(sourceId, run) {
      for (let tries = 1; tries <= maxTries; tries += 1) {
        const [item] = await runItems([sourceId]);
        const known = item?.recentRuns;
        const runs = JSON.stringify(withRecentRun(runsOf(item), run));
        if (runs === known) return;
        const isUnchanged =
          known === undefined
            ? expression`attribute_not_exists(recentRuns)`
            : expression`recentRuns = ${known}`;
        if (await sources.updateIf(sourceId, expression`SET recentRuns = ${runs}`, isUnchanged)) return;
      }
      throw new ThrottledError(
        `other workers keep changing the runs of source ${sourceId}`,
        new Date(Date.now() + 1_000),
      );
    },
  };
}

function runsOf(item: RunsItem | undefined): RecentRun[] {
  return item?.recentRuns === undefined ? [] : JSON.parse(item.recentRuns);
}
