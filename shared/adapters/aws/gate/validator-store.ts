import { PutCommand } from "@aws-sdk/lib-dynamodb";
import {
  type CachedAnswer,
  type ValidatorStore,
  validatorsMaxAgeDays,
} from "../../../web/chain/conditional.ts";
import { dynamodb, getAll, getItem, ttlAfter } from "../dynamodb.ts";
import { variable } from "../environment.ts";

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
      await dynamodb.send(new PutCommand({ TableName, Item: { key, ...validators, expiresAt } }));
    },
  };
}
