import { type CachedAnswer, type ValidatorStore, validatorsMaxAgeDays } from "../../web/chain/conditional.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { table } from "../aws/table.ts";

export function validatorStore(): ValidatorStore {
  const answers = table<CachedAnswer & { key: string }>({
    variable: "validatorsTable",
    key: (key) => ({ key }),
    hidden: ["expiresAt"],
  });
  return {
    async recall(key) {
      const item = await answers.get(key, { isConsistent: false });
      return item && answerOf(item);
    },
    async recallAll(keys) {
      const items = await answers.getMany(keys, { isConsistent: false });
      return new Map(items.map((item) => [item.key, answerOf(item)]));
    },
    async remember(key, validators) {
      const expiresAt = ttlAfter(validators.fetchedAt, validatorsMaxAgeDays);
      await answers.putItem(key, { ...validators, expiresAt });
    },
  };
}

function answerOf({ key: _key, ...answer }: CachedAnswer & { key: string }): CachedAnswer {
  return answer;
}
