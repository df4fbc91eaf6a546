import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { ConfigError } from "../../core/errors.ts";
import { configErrorOf } from "../../core/problems.ts";
import type { ValidationRuleStore } from "../../ports.ts";
import { ruleKey, validationRule } from "../../validation/rule.ts";
import { dynamodb, queryAll, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** A kind of the configuration: its ids say what a rule is about, so there cannot be two about the same. */
const kind = "validation-rule";

export function validationRuleStore(): ValidationRuleStore {
  const TableName = variable("configurationTable");
  return {
    async rules() {
      const items = await queryAll<{ id: string; value: unknown }>({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: "kind = :kind",
        ExpressionAttributeValues: { ":kind": kind },
      });
      return items.map(({ id, value }) => {
        const { data, error } = validationRule.safeParse(value);
        if (error) throw configErrorOf(error, `${kind} ${id}`);
        if (ruleKey(data) !== id)
          throw new ConfigError(`${kind} ${id} is about something else: ${ruleKey(data)}`);
        return data;
      });
    },
    async put(rule) {
      await dynamodb.send(new PutCommand({ TableName, Item: { kind, id: ruleKey(rule), value: rule } }));
    },
    remove: (subject) =>
      whether(
        dynamodb.send(
          new DeleteCommand({
            TableName,
            Key: { kind, id: ruleKey(subject) },
            ConditionExpression: "attribute_exists(id)",
          }),
        ),
      ),
  };
}
