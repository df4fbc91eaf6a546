import { PutCommand } from "@aws-sdk/lib-dynamodb";
import {
  type CachedAnswer,
  type ValidatorStore,
  validatorsMaxAgeDays,
} from "../../../web/chain/conditional.ts";
import { dynamodb, getItem, ttlAfter } from "../dynamodb.ts";
import { variable } from "../environment.ts";

export function validatorStore(): ValidatorStore {
  const TableName = variable("validatorsTable");
  return {
    recall: (key) => getItem<CachedAnswer>({ TableName, Key: { key } }),
    async remember(key, validators) {
      const expiresAt = ttlAfter(validators.fetchedAt, validatorsMaxAgeDays);
      await dynamodb.send(new PutCommand({ TableName, Item: { key, ...validators, expiresAt } }));
    },
  };
}
