import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { RuleTest, RuleTestResult, RuleTestStore } from "../rule-test/rule-test.ts";

/** The retention in days. One day is enough, because operators wait for the result of a test. */
const keptDays = 1;

export function ruleTests(): RuleTestStore {
  const tests = table<{ test: RuleTest; result?: RuleTestResult }>({
    variable: "ruleTestsTable",
    key: (testId) => ({ testId }),
  });
  return {
    create: (test) => tests.putItem(test.testId, { test, expiresAt: ttlAfter(test.requestedAt, keptDays) }),
    async finish(testId, result) {
      await tests.updateIf(testId, expression`SET result = ${result}`, expression`attribute_exists(testId)`);
    },
    async get(testId) {
      const item = await tests.get(testId);
      return item && { ...item.test, ...(item.result !== undefined && { result: item.result }) };
    },
  };
}
