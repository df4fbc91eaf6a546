import { type CachedAnswer, type ValidatorStore, validatorsMaxAgeDays } from "../../web/chain/conditional.ts";
import { getAll, getItem, putItem, ttlAfter } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

export function validatorStore(): ValidatorStore {
  const TableName = variable("validatorsTable");
  return {
    recall: (key) => getItem<CachedAnswer>({ TableName, Key: { key } }),
    async recallAll(keys) {
      const items = await getAll<CachedAnswer & { key: string }>(TableName, {
        Keys: keys.map((key) => ({ key })),
      });
      return new Map(items.map(({ key, ...answer }) => [key, answer]));
    },
    async remember(key, validators) {
      const expiresAt = ttlAfter(validators.fetchedAt, validatorsMaxAgeDays);
      await putItem({ TableName, Item: { key, ...validators, expiresAt } });
    },
  };
}
