import { ConfigError } from "../../../shared/core/errors.ts";

type OneOrMany<T> = T | readonly T[];

/** A policy document with resolved values. */
export interface PolicyDocument {
  readonly Statement: OneOrMany<Statement>;
}

export interface Statement {
  readonly Effect: "Allow" | "Deny";
  readonly Action?: OneOrMany<string>;
  readonly Resource?: OneOrMany<string>;
  readonly Principal?: "*" | Readonly<Record<string, OneOrMany<string>>>;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, OneOrMany<string | boolean>>>>>;
  readonly [other: string]: unknown;
}

/** A requested action. */
export interface AccessRequest {
  readonly action: string;
  readonly resource: string;
  /** The values of condition keys, by key in lower case. */
  readonly context: Readonly<Record<string, OneOrMany<string>>>;
}

export function accessTo(
  action: string,
  resource: string,
  context: AccessRequest["context"] = {},
): AccessRequest {
  return { action, resource, context };
}

/**
 * The decision of a policy: no statement applies, one allows the request, or one denies it. A deny overrides
 * all allows.
 */
export type PolicyDecision = "implicit-deny" | "allow" | "explicit-deny";

const operators: Readonly<Record<string, (actual: string, expected: string) => boolean>> = {
  StringEquals: (actual, expected) => actual === expected,
  StringLike: matches,
  ArnEquals: matches,
  ArnLike: matches,
  Bool: (actual, expected) => actual === expected,
};

/** The operators that negate another operator. */
const contraries: Readonly<Record<string, string>> = {
  StringNotEquals: "StringEquals",
  ArnNotLike: "ArnLike",
};

/**
 * The prefixes of operators for multiple values. With `ForAllValues:`, each value of the request must match;
 * with the other prefix, one value must match.
 */
const forAllPrefix = "ForAllValues:";
const forAnyPrefix = "ForAnyValue:";

/** The supported condition keys. */
const contextKeys = new Set([
  "aws:principalarn",
  "aws:securetransport",
  "aws:sourcearn",
  "aws:sourceaccount",
  "dynamodb:attributes",
  "events:detail-type",
  "events:source",
  "iam:passedtoservice",
  "ses:fromaddress",
]);

/**
 * Decides whether the statements permit the request. A statement that denies it overrides all statements that
 * allow it.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function evaluate(statements: readonly Statement[], request: AccessRequest): PolicyDecision {
  const applying = statements.filter((statement) => applies(statement, request));
  if (applying.some(({ Effect }) => Effect === "Deny")) return "explicit-deny";
  return applying.length > 0 ? "allow" : "implicit-deny";
}

export function statementsOf(document: PolicyDocument): readonly Statement[] {
  return asList(document.Statement);
}

/**
 * Returns whether a statement of a resource policy applies to the principal, e.g. `("Service",
 * "events.amazonaws.com")`.
 */
export function appliesToPrincipal(
  { Principal }: Statement,
  kind: "Service" | "AWS",
  principal: string,
): boolean {
  if (Principal === "*") return true;
  return asList(Principal?.[kind] ?? []).some((entry) => entry === "*" || entry === principal);
}

/**
 * Refuses unsupported statements at the start.
 *
 * @throws ConfigError naming the policy and the unsupported element.
 */
export function assertSupported(statements: readonly Statement[], where: string): void {
  for (const statement of statements) {
    for (const part of ["NotAction", "NotResource", "NotPrincipal"]) {
      if (part in statement) throw unknown(where, part);
    }
    for (const [operator, keys] of Object.entries(statement.Condition ?? {})) {
      if (operators[baseOperator(operator).name] === undefined)
        throw unknown(where, `the condition operator ${operator}`);
      for (const key of Object.keys(keys)) {
        if (!contextKeys.has(key.toLowerCase())) throw unknown(where, `the condition key ${key}`);
      }
    }
  }
}

function applies({ Action, Resource, Condition }: Statement, request: AccessRequest): boolean {
  return (
    asList(Action ?? []).some((action) => matches(request.action.toLowerCase(), action.toLowerCase())) &&
    asList(Resource ?? "*").some((resource) => matches(request.resource, resource)) &&
    Object.entries(Condition ?? {}).every(([operator, keys]) =>
      Object.entries(keys).every(([key, expected]) => {
        const actual = request.context[key.toLowerCase()];
        const { name, isContrary } = baseOperator(operator);
        if (actual === undefined) {
          return operator.startsWith(forAllPrefix) || (isContrary && !operator.startsWith(forAnyPrefix));
        }
        const test = operators[name];
        const meets = (each: string) =>
          asList(expected).some((value) => test?.(each, String(value))) !== isContrary;
        return operator.startsWith(forAllPrefix) ? asList(actual).every(meets) : asList(actual).some(meets);
      }),
    )
  );
}

/** Returns the operator to test, and whether the statement negates it. */
function baseOperator(operator: string): { name: string; isContrary: boolean } {
  const own = operator.slice(operator.indexOf(":") + 1);
  return { name: contraries[own] ?? own, isContrary: own in contraries };
}

/** Matches IAM's wildcards: `*` matches any sequence of characters, `?` any single character. */
function matches(actual: string, pattern: string): boolean {
  if (pattern === "*" || pattern === actual) return true;
  if (!/[*?]/.test(pattern)) return false;
  let compiled = compiledPatterns.get(pattern);
  if (compiled === undefined) {
    const source = pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    compiled = new RegExp(`^${source}$`, "s");
    compiledPatterns.set(pattern, compiled);
  }
  return compiled.test(actual);
}

/** The compiled patterns of all policies, cached because each call is checked against some of them. */
const compiledPatterns = new Map<string, RegExp>();

function asList<T>(value: OneOrMany<T>): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}

function unknown(where: string, what: string): ConfigError {
  return new ConfigError(
    `${where}: the local cloud does not support ${what}: add it to local/cloud/iam/policy.ts`,
  );
}
