import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { attribute, expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { Sweep, SweepStore } from "../status/stored-sweep.ts";
import { isOpen } from "../sweep/sweep.ts";

/** The number of days for which sweeps are kept; after that, checks can no longer complete a sweep. */
const keptDays = 30;

/**
 * Stores one item per sweep, with a map of the first result of each check. A further item per collection, `latest#…`,
 * names the sweep of the collection that was opened last. No sweep id begins with `latest#`.
 */
export function sweepStore(): SweepStore {
  const sweeps = table<Sweep>({ variable: "linkSweepsTable", key: (sweepId) => ({ sweepId }) });
  const latests = table<{ sweepId: string; latest: string }>({
    variable: "linkSweepsTable",
    key: (collectionId) => ({ sweepId: `latest#${collectionId}` }),
  });
  const create = async (sweep: Sweep) => {
    const expiresAt = ttlAfter(sweep.requestedAt, keptDays);
    const isNew = await sweeps.putNew(sweep.sweepId, { ...sweep, expiresAt });
    return isNew ? sweep : ((await sweeps.get(sweep.sweepId)) ?? sweep);
  };
  return {
    create,
    get: (sweepId) => sweeps.get(sweepId),
    async latest(collectionIds) {
      const ids = (await latests.getMany(collectionIds)).map(({ latest }) => latest);
      const found = await sweeps.getMany(ids);
      return new Map(found.map((sweep) => [sweep.collectionId, sweep]));
    },
    async open(sweep) {
      const { sweepId, collectionId, requestedAt } = sweep;
      const latest = (await latests.get(collectionId))?.latest;
      if (latest === sweepId) return create(sweep);
      const earlier = latest === undefined ? undefined : await sweeps.get(latest);
      if (earlier && (requestedAt < earlier.requestedAt || isOpen(earlier, requestedAt))) return undefined;
      // The sweep is stored first, so that a reader of its name always finds it.
      const stored = await create(sweep);
      const isLatest = await latests.putIf(
        collectionId,
        { latest: sweepId, expiresAt: ttlAfter(requestedAt, keptDays) },
        latest === undefined ? expression`attribute_not_exists(latest)` : expression`latest = ${latest}`,
      );
      if (isLatest) return stored;
      // Another invocation for the same time may have been faster.
      return (await latests.get(collectionId))?.latest === sweepId ? stored : undefined;
    },
    addResult(sweepId, checkId, result) {
      const place = expression`results.${attribute(checkId)}`;
      return sweeps.updatedIf(
        sweepId,
        expression`SET ${place} = if_not_exists(${place}, ${result})`,
        expression`attribute_exists(sweepId)`,
      );
    },
  };
}
