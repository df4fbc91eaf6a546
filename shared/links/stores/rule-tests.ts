import { getItem, putItem, ttlAfter, updateIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { RuleTest, RuleTestResult, RuleTestStore } from "../rule-test/rule-test.ts";

/** Operators wait for the result of a test. */
const keptDays = 1;

export function ruleTests(): RuleTestStore {
  const TableName = variable("ruleTestsTable");
  return {
    async create(test) {
      const expiresAt = ttlAfter(test.requestedAt, keptDays);
      await putItem({ TableName, Item: { testId: test.testId, test, expiresAt } });
    },
    async finish(testId, result) {
      await updateIf({
        TableName,
        Key: { testId },
        UpdateExpression: "SET #result = :result",
        ConditionExpression: "attribute_exists(testId)",
        ExpressionAttributeNames: { "#result": "result" },
        ExpressionAttributeValues: { ":result": result },
      });
    },
    async get(testId) {
      const item = await getItem<{ test: RuleTest; result?: RuleTestResult }>({
        TableName,
        Key: { testId },
        ConsistentRead: true,
      });
      return item && { ...item.test, ...(item.result !== undefined && { result: item.result }) };
    },
  };
}
