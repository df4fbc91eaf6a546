import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { CheckRun, CheckStore } from "../check-run.ts";

/** The retention in days. One day is enough, because callers fetch the result of a check within a day. */
const keptDays = 1;

/**
 * Stores three kinds of items in one table: runs by their id, the latest run of each set and ARK (`latest#…`), and
 * counts by hour (`checks#…`).
 */
export function checkStore(): CheckStore {
  const variable = "setChecksTable";
  const runs = table<{ run?: CheckRun }>({ variable, key: (id) => ({ id }) });
  const latests = table<{ checkId: string }>({ variable, key: (shareKey) => ({ id: `latest#${shareKey}` }) });
  const counts = table<object, { hour: string; caller: string }>({
    variable,
    key: ({ hour, caller }) => ({ id: `checks#${hour}#${caller}` }),
  });
  const get = async (id: string) => (await runs.get(id))?.run;
  return {
    get,
    async latest(shareKey) {
      const item = await latests.get(shareKey);
      return item && get(item.checkId);
    },
    async start(run, replaced) {
      const { checkId, shareKey, startedAt } = run;
      const expiresAt = ttlAfter(startedAt, keptDays);
      // The run is stored before the item that names it. A run that is not stored as the latest one expires unread.
      await runs.putItem(checkId, { run, expiresAt });
      const isReplaced =
        replaced === undefined
          ? expression`attribute_not_exists(id)`
          : expression`checkId = ${replaced.checkId}`;
      // The run may have expired before this item.
      const isFree = expression`${isReplaced} OR expiresAt <= ${ttlAfter(startedAt, 0)}`;
      return latests.putIf(shareKey, { checkId, expiresAt }, isFree);
    },
    advance: (run, pagesBefore) =>
      runs.updateIf(
        run.checkId,
        expression`SET run = ${run}`,
        expression`run.counted.list.pages = ${pagesBefore} AND attribute_not_exists(run.result)`,
      ),
    countCheck: ({ caller, hour, most }) =>
      counts.updateIf(
        { hour, caller },
        expression`SET expiresAt = ${ttlAfter(`${hour}:00:00.000Z`, keptDays)} ADD count ${1}`,
        expression`attribute_not_exists(count) OR count < ${most}`,
      ),
  };
}
