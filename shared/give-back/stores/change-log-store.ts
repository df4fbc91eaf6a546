import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { insertAll, updateAll } from "../../adapters/aws/statements.ts";
import { isNext, table } from "../../adapters/aws/table.ts";
import { datestampOf } from "../log/change-key.ts";
import type { ChangeLog, LogState, PlannedChanges } from "../log/change-log.ts";
import {
  type ChangeKey,
  changeLogReader,
  hiddenList,
  planKey,
  setsList,
  stateKey,
  versionsOf,
} from "./change-log-reader.ts";

/**
 * The days for which a list in progress still finds what a later change has replaced. Changes that a killed writer has
 * planned must be seen by then.
 */
const replacedRetentionDays = 7;

/** Stores the change log in the table `changes`. */
export function changeLogStore(): ChangeLog {
  const changes = table<object, ChangeKey>({
    variable: "changesTable",
    key: ({ list, key }) => ({ list, key }),
    hidden: ["list", "key"],
  });
  const keys = table<ChangeKey, ChangeKey>({
    variable: "changesTable",
    key: ({ list, key }) => ({ list, key }),
  });
  return {
    ...changeLogReader(),
    saveState: (state: LogState) =>
      changes.putIf(stateKey, { state, revision: state.revision }, isNext(state, "list")),
    async hiddenCollections() {
      const hidden = { where: expression`list = ${hiddenList}`, isConsistent: true };
      const found = await keys.query<ChangeKey & { isLogged: boolean }>(hidden).all();
      return new Map(found.map(({ key, isLogged }) => [key, isLogged]));
    },
    setHidden: (collectionId, isLogged) => {
      const id = { list: hiddenList, key: collectionId };
      return isLogged === undefined ? changes.deleteItem(id) : changes.putItem(id, { isLogged });
    },
    planned: () => changes.get<PlannedChanges>(planKey),
    plan: (planned, seen) =>
      changes.putIf(planKey, planned, expression`attribute_not_exists(list) OR lastKey <= ${seen ?? ""}`),
    async write({ versions, replaced, newSets }) {
      await insertAll(
        changes.name,
        ["list", "key"],
        [
          ...versions.map((version) => ({ ...version, list: versionsOf(version.itemId) })),
          ...versions.flatMap(({ itemId, key, places }) =>
            Object.entries(places)
              .filter(([, place]) => place.key === key)
              .map(([list, place]) => ({ list, itemId, ...place })),
          ),
          ...newSets.map((list) => ({ list: setsList, key: list })),
        ],
      );
      await updateAll(
        changes.name,
        replaced.flatMap(({ itemId, key, next, lists }) =>
          [versionsOf(itemId), ...lists].map((list) => ({
            key: { list, key },
            set: { next, expiresAt: ttlAfter(datestampOf(next), replacedRetentionDays) },
            where: ['"itemId" = ?', itemId],
          })),
        ),
      );
    },
  };
}
