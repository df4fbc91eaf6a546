import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { type ValidatorStore, type Validators, validatorsDays } from "../../web/chain/conditional.ts";
import { dynamodb, expiresAfter } from "../dynamodb.ts";
import { variable } from "../environment.ts";

export function validatorStore(): ValidatorStore {
  const TableName = variable("validatorsTable");
  return {
    async recall(key) {
      const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { key } }));
      return Item as Validators | undefined;
    },
    async remember(key, validators) {
      const expiresAt = expiresAfter(validators.fetchedAt, validatorsDays);
      await dynamodb.send(new PutCommand({ TableName, Item: { key, ...validators, expiresAt } }));
    },
  };
}
