/** The names and values that an expression may use. dynalite passes them to its parsers. */
export interface ExpressionContext {
  attrNames?: Record<string, string> | undefined;
  attrVals?: Record<string, object> | undefined;
  /** The names that are not used yet. The parser deletes the names that the expression uses. */
  unusedAttrNames?: Record<string, true>;
  unusedAttrVals?: Record<string, true>;
}

/** A parser of dynalite. It returns a tree that contains the values, or a problem as a string. */
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

/** The maximum number of cached expressions; all of Ingather's code has fewer. */
const maxCached = 1000;

/** Matches expressions whose validity depends on the values, not only on their types. */
const dependsOnValues = /between|attribute_type/i;

/**
 * Adds a cache of parsed expressions to a parser. Without it, half of the local tables' time is spent on
 * parsing. Ingather's code uses few expressions, each with different values, which replace the values in the
 * cached tree.
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
      // A message about a problem may name the context of all expressions, so it is not cached.
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

/** Parses an expression without its values. @returns undefined if the expression is invalid */
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

/** Copies a tree, and replaces its values by those of the same names. */
function copy(node: unknown, names: Parsed["names"], values: Record<string, object>): unknown {
  if (typeof node !== "object" || node === null) return node;
  const name = names.get(node);
  if (name !== undefined) return values[name];
  if (Array.isArray(node)) {
    // The parser also adds properties to its arrays.
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
