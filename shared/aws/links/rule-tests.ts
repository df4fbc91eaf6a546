import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { RuleTest } from "../../links/rule/rule-test.ts";
import type { RuleTestStore } from "../../ports.ts";
import { dynamodb, expiresAfter, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** Whoever tests a rule waits for the result; the day after nobody does. */
const keptDays = 1;

export function ruleTests(): RuleTestStore {
  const TableName = variable("ruleTestsTable");
  return {
    async open(test) {
      const expiresAt = expiresAfter(test.askedAt, keptDays);
      await dynamodb.send(new PutCommand({ TableName, Item: { testId: test.testId, test, expiresAt } }));
    },
    async finish(testId, result) {
      await whether(
        dynamodb.send(
          new UpdateCommand({
            TableName,
            Key: { testId },
            UpdateExpression: "SET #result = :result",
            ConditionExpression: "attribute_exists(testId)",
            ExpressionAttributeNames: { "#result": "result" },
            ExpressionAttributeValues: { ":result": result },
          }),
        ),
      );
    },
    async get(testId) {
      const { Item } = await dynamodb.send(
        new GetCommand({ TableName, Key: { testId }, ConsistentRead: true }),
      );
      if (Item === undefined) return undefined;
      return { ...(Item.test as RuleTest), ...(Item.result !== undefined && { result: Item.result }) };
    },
  };
}
