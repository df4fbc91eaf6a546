import { isDeepStrictEqual } from "node:util";
import { deleteIf, getItem, putIf, putItem, queryAll, queryPages } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { ConfigError } from "../../core/errors.ts";
import { buildConfigError } from "../../core/schema-problems.ts";
import {
  type RuleSubject,
  ruleKey,
  ruleKeyPrefix,
  type ValidationRule,
  type ValidationRuleStore,
  validationRule,
} from "../validation/rule.ts";

/** The kind of the rules in the configuration table. An id names the subject of a rule, so a subject has one rule. */
const kind = "validation-rule";

interface RuleItem {
  id: string;
  value: unknown;
}

export function validationRuleStore(): ValidationRuleStore {
  const TableName = variable("configurationTable");
  const read = (subject: RuleSubject) =>
    getItem<RuleItem>({ TableName, Key: { kind, id: ruleKey(subject) }, ConsistentRead: true });
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
      await putItem({ TableName, Item: { kind, id: ruleKey(rule), value: rule } });
    },
    add: (rule) =>
      putIf({
        TableName,
        Item: { kind, id: ruleKey(rule), value: rule },
        ConditionExpression: "attribute_not_exists(id)",
      }),
    remove: (subject) =>
      deleteIf({
        TableName,
        Key: { kind, id: ruleKey(subject) },
        ConditionExpression: "attribute_exists(id)",
      }),
    async get(subject) {
      const item = await read(subject);
      return item && parseRule(item);
    },
    async change(before, after) {
      const item = await read(before);
      if (item === undefined || !isDeepStrictEqual(parseRule(item), before)) return false;
      const unchanged = { TableName, ...hasFields(item.value as Record<string, unknown>) };
      const Key = { kind, id: item.id };
      return after === undefined
        ? deleteIf({ ...unchanged, Key })
        : putIf({ ...unchanged, Item: { ...Key, value: after } });
    },
  };
}

/** The condition that a rule still has these fields, none of which is an object. */
function hasFields(fields: Record<string, unknown>) {
  const entries = Object.entries(fields);
  return {
    ConditionExpression: entries.map((_, n) => `#value.#f${n} = :f${n}`).join(" AND "),
    ExpressionAttributeNames: {
      "#value": "value",
      ...Object.fromEntries(entries.map(([name], n) => [`#f${n}`, name])),
    },
    ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], n) => [`:f${n}`, value])),
  };
}

/**
 * @throws ConfigError for a rule that is not valid, or is stored under the id of another subject, as after a manual
 * edit
 */
function parseRule({ id, value }: RuleItem): ValidationRule {
  const { data, error } = validationRule.safeParse(value);
  if (error) throw buildConfigError(error, `${kind} ${id}`);
  if (ruleKey(data) !== id)
    throw new ConfigError(`${kind} ${id} has the subject of another rule: ${ruleKey(data)}`);
  return data;
}
