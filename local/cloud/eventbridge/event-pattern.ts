import { ConfigError } from "../../../shared/core/errors.ts";

/** An event pattern: nested fields, with lists of permitted values. */
export interface EventPattern {
  readonly [field: string]: EventPattern | readonly unknown[];
}

type Test = (value: unknown) => boolean;

/**
 * Returns whether an event matches. For every field of the pattern, one entry of its list must match.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = (event as Record<string, unknown> | null | undefined)?.[field];
    if (!isList(expected)) return typeof value === "object" && matchesPattern(expected, value);
    const values = Array.isArray(value) ? value : [value];
    return expected.map(testOf).some((test) => values.some(test));
  });
}

/** @throws ConfigError naming an unsupported operator. */
export function assertPattern(pattern: EventPattern, where: string): void {
  for (const [field, expected] of Object.entries(pattern)) {
    if (field.startsWith("$")) throw unknown(where, field);
    if (!isList(expected)) assertPattern(expected, where);
    else {
      for (const entry of expected) {
        const operator = operatorOf(entry);
        if (operator !== undefined && !(operator.name in operators)) throw unknown(where, operator.name);
        if (operator?.name === "anything-but" && typeof operator.argument === "object") {
          const nested = Array.isArray(operator.argument) ? undefined : operatorOf(operator.argument);
          if (nested !== undefined) throw unknown(where, `anything-but ${nested.name}`);
        }
      }
    }
  }
}

const operators: Readonly<Record<string, (argument: unknown) => Test>> = {
  prefix: (start) => (value) => typeof value === "string" && value.startsWith(String(start)),
  "anything-but": (excluded) => (value) =>
    value !== undefined && !(Array.isArray(excluded) ? excluded : [excluded]).includes(value),
  exists: (expected) => (value) => (value !== undefined) === expected,
};

function testOf(entry: unknown): Test {
  const operator = operatorOf(entry);
  if (operator === undefined) return (value) => value === entry;
  return operators[operator.name]?.(operator.argument) ?? (() => false);
}

function operatorOf(entry: unknown): { name: string; argument: unknown } | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const [[name, argument] = ["", undefined]] = Object.entries(entry);
  return { name, argument };
}

function isList(value: EventPattern | readonly unknown[]): value is readonly unknown[] {
  return Array.isArray(value);
}

function unknown(where: string, operator: string): ConfigError {
  return new ConfigError(
    `${where}: the local cloud does not support the pattern operator ${operator}: add it to local/cloud/eventbridge/event-pattern.ts`,
  );
}
