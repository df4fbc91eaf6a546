import { type CachedAnswer, type ValidatorStore, validatorsMaxAgeDays } from "../../web/chain/conditional.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { table } from "../aws/table.ts";

export function validatorStore(): ValidatorStore {
  const answers = table<CachedAnswer & { key: string }>({
    variable: "validatorsTable",
    key: (key) => ({ key }),
  });
  return {
    recall: (key) => answers.get(key, { isConsistent: false }),
    async recallAll(keys) {
      const items = await answers.getMany(keys, { isConsistent: false });
      return new Map(items.map(({ key, ...answer }) => [key, answer]));
    },
    async remember(key, validators) {
      const expiresAt = ttlAfter(validators.fetchedAt, validatorsMaxAgeDays);
      await answers.putItem(key, { ...validators, expiresAt });
    },
  };
}
