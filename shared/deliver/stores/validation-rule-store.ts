import { isDeepStrictEqual } from "node:util";
import { attribute, type Expression, expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
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

/**
 * The kind of the rules in the configuration table. The id of a rule is derived from its subject, so each subject has
 * at most one rule.
 */
const kind = "validation-rule";

interface RuleItem {
  id: string;
  value: unknown;
}

export function validationRuleStore(): ValidationRuleStore {
  const items = table<RuleItem, RuleSubject>({
    variable: "configurationTable",
    key: (subject) => ({ kind, id: ruleKey(subject) }),
  });
  return {
    async rules() {
      const stored = items.query({ where: expression`kind = ${kind}`, isConsistent: true });
      return (await stored.all()).map(parseRule);
    },
    async page({ source, limit, after = "" }) {
      const prefix = source === undefined ? "" : ruleKeyPrefix(source);
      const rules: ValidationRule[] = [];
      const start = after > prefix ? after : prefix || " ";
      const where = expression`kind = ${kind} AND id > ${start}`;
      for await (const page of items.query({ where, isConsistent: true }).pages(limit)) {
        const inRange = page.filter(({ id }) => id.startsWith(prefix));
        rules.push(
          ...inRange.map(parseRule).filter((rule) => source === undefined || rule.source === source),
        );
        if (rules.length >= limit || inRange.length < page.length) break;
      }
      return rules.slice(0, limit);
    },
    put: (rule) => items.putItem(rule, { value: rule }),
    add: (rule) => items.putNew(rule, { value: rule }),
    remove: (subject) => items.deleteIf(subject, expression`attribute_exists(id)`),
    async get(subject) {
      const item = await items.get(subject);
      return item && parseRule(item);
    },
    async change(before, after) {
      const item = await items.get(before);
      if (item === undefined || !isDeepStrictEqual(parseRule(item), before)) return false;
      const isUnchanged = hasFields(item.value as Record<string, unknown>);
      return after === undefined
        ? items.deleteIf(before, isUnchanged)
        : items.putIf(before, { value: after }, isUnchanged);
    },
  };
}

/** Builds the condition that a rule still has these fields, none of which is an object. */
function hasFields(fields: Record<string, unknown>): Expression {
  const conditions = Object.entries(fields).map(
    ([name, field]) => expression`value.${attribute(name)} = ${field}`,
  );
  return conditions.reduce((all, next) => expression`${all} AND ${next}`);
}

/**
 * Parses a stored rule.
 * @throws ConfigError for a rule that is not valid, or that is stored under the id of another subject, for example
 * after a manual edit
 */
function parseRule({ id, value }: RuleItem): ValidationRule {
  const { data, error } = validationRule.safeParse(value);
  if (error) throw buildConfigError(error, `${kind} ${id}`);
  if (ruleKey(data) !== id)
    throw new ConfigError(
      `${kind} ${id} is stored under the wrong id: expected ${ruleKey(data)}, by its fields`,
    );
  return data;
}
