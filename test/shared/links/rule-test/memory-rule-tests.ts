import type { RuleTest, RuleTestStore } from "../../../../shared/links/rule-test/rule-test.ts";

/** Rule tests in memory. */
export function memoryRuleTests(): RuleTestStore {
  const tests = new Map<string, RuleTest>();
  return {
    create: async (test) => void tests.set(test.testId, test),
    finish: async (testId, result) => {
      const test = tests.get(testId);
      if (test !== undefined) tests.set(testId, { ...test, result });
    },
    get: async (testId) => tests.get(testId),
  };
}
