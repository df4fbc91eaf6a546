import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { ConfigError } from "../../../core/errors.ts";
import { buildConfigError } from "../../../core/schema-problems.ts";
import {
  ruleKey,
  ruleKeyPrefix,
  type ValidationRule,
  type ValidationRuleStore,
  validationRule,
} from "../../../validation/rule.ts";
import { deleteIf, dynamodb, queryAll, queryPages } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** The kind of the rules in the configuration table. An id names the subject of a rule, so a subject has one rule. */
const kind = "validation-rule";

interface RuleItem {
  id: string;
  value: unknown;
}

export function validationRuleStore(): ValidationRuleStore {
  const TableName = variable("configurationTable");
  return {
    async rules() {
      const items = await queryAll<RuleItem>({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: "kind = :kind",
        ExpressionAttributeValues: { ":kind": kind },
      });
      return items.map(parseRule);
    },
    async page({ source, limit, after = "" }) {
      const prefix = source === undefined ? "" : ruleKeyPrefix(source);
      const rules: ValidationRule[] = [];
      const pages = queryPages<RuleItem>({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: "kind = :kind AND id > :after",
        ExpressionAttributeValues: { ":kind": kind, ":after": after > prefix ? after : prefix || " " },
        Limit: limit,
      });
      for await (const items of pages) {
        const inRange = items.filter(({ id }) => id.startsWith(prefix));
        rules.push(
          ...inRange.map(parseRule).filter((rule) => source === undefined || rule.source === source),
        );
        if (rules.length >= limit || inRange.length < items.length) break;
      }
      return rules.slice(0, limit);
    },
    async put(rule) {
      await dynamodb.send(new PutCommand({ TableName, Item: { kind, id: ruleKey(rule), value: rule } }));
    },
    remove: (subject) =>
      deleteIf({
        TableName,
        Key: { kind, id: ruleKey(subject) },
        ConditionExpression: "attribute_exists(id)",
      }),
  };
}

/**
 * @throws ConfigError for a rule that is not valid, or is stored under the id of another subject, as after an edit by
 * hand
 */
function parseRule({ id, value }: RuleItem): ValidationRule {
  const { data, error } = validationRule.safeParse(value);
  if (error) throw buildConfigError(error, `${kind} ${id}`);
  if (ruleKey(data) !== id)
    throw new ConfigError(`${kind} ${id} has the subject of another rule: ${ruleKey(data)}`);
  return data;
}
