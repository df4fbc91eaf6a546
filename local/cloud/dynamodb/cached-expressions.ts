/** What dynalite's parsers are given, apart from the expression: the names and values that it may use. */
export interface ExpressionContext {
  attrNames?: Record<string, string> | undefined;
  attrVals?: Record<string, object> | undefined;
  /** The parser deletes what the expression uses. */
  unusedAttrNames?: Record<string, true>;
  unusedAttrVals?: Record<string, true>;
}

/** A parser of dynalite. It returns a tree with the values in their places, or a problem as text. */
export interface ExpressionParser {
  parse(expression: string, options: { context: ExpressionContext }): unknown;
}

interface Parsed {
  tree: object;
  /** The names of the values in the tree. */
  names: ReadonlyMap<unknown, string>;
  usedNames: string[];
  usedValues: string[];
}

/** More than all expressions of our code. */
const maxCached = 1000;

/** Expressions whose validity depends on the values, and not only on their types. */
const dependsOnValues = /between|attribute_type/i;

/**
 * Makes a parser remember the expressions that it has parsed: without this, half of the local tables' time is parsing. Our
 * code has few expressions, with other values each time, which take the places of the earlier ones.
 */
export function cacheExpressions(parser: ExpressionParser): void {
  const parse = parser.parse.bind(parser);
  const cache = new Map<string, Parsed>();
  parser.parse = (expression, { context }) => {
    if (dependsOnValues.test(expression)) return parse(expression, { context });
    const key = keyOf(expression, context);
    let parsed = cache.get(key);
    if (parsed === undefined) {
      const result = parseAlone(parse, expression, context);
      // A problem may name the other expressions' context.
      if (result === undefined) return parse(expression, { context });
      parsed = result;
      if (cache.size < maxCached) cache.set(key, parsed);
    }
    for (const name of parsed.usedNames) delete context.unusedAttrNames?.[name];
    for (const name of parsed.usedValues) delete context.unusedAttrVals?.[name];
    return copy(parsed.tree, parsed.names, context.attrVals ?? {});
  };
}

function keyOf(expression: string, context: ExpressionContext): string {
  const { attrNames, attrVals = {}, ...others } = context;
  const types = Object.entries(attrVals).map(([name, value]) => [name, Object.keys(value)[0]]);
  const { unusedAttrNames: _names, unusedAttrVals: _values, ...settings } = others;
  return JSON.stringify([expression, attrNames, types, settings]);
}

/** @returns undefined when the expression is invalid */
function parseAlone(
  parse: ExpressionParser["parse"],
  expression: string,
  context: ExpressionContext,
): Parsed | undefined {
  const { attrNames = {}, attrVals = {} } = context;
  const unusedAttrNames = unusedOf(attrNames);
  const unusedAttrVals = unusedOf(attrVals);
  let tree: unknown;
  try {
    tree = parse(expression, { context: { ...context, unusedAttrNames, unusedAttrVals } });
  } catch {
    return undefined;
  }
  if (typeof tree !== "object" || tree === null) return undefined;
  return {
    tree,
    names: new Map(Object.entries(attrVals).map(([name, value]) => [value, name])),
    usedNames: Object.keys(attrNames).filter((name) => unusedAttrNames[name] === undefined),
    usedValues: Object.keys(attrVals).filter((name) => unusedAttrVals[name] === undefined),
  };
}

function unusedOf(given: object): Record<string, true> {
  return Object.fromEntries(Object.keys(given).map((name) => [name, true]));
}

/** A copy of a tree, in which values of the same names take the places of the values. */
function copy(node: unknown, names: Parsed["names"], values: Record<string, object>): unknown {
  if (typeof node !== "object" || node === null) return node;
  const name = names.get(node);
  if (name !== undefined) return values[name];
  if (Array.isArray(node)) {
    // The parser writes properties to its arrays, too.
    const copied = node.map((each) => copy(each, names, values));
    for (const [key, value] of Object.entries(node).slice(node.length)) {
      Object.assign(copied, { [key]: copy(value, names, values) });
    }
    return copied;
  }
  const copied = Object.create(Object.getPrototypeOf(node));
  for (const [key, value] of Object.entries(node)) copied[key] = copy(value, names, values);
  return copied;
}
