/** An expression of DynamoDB, or a part of an expression, with its values. */
export class Expression {
  readonly texts: readonly string[];
  /** The values, names and nested expressions between the texts. */
  readonly parts: readonly unknown[];

  constructor(texts: readonly string[], parts: readonly unknown[]) {
    this.texts = texts;
    this.parts = parts;
  }
}

/** The name of an attribute that is known only at run time. */
class AttributeName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Builds an expression that contains its values, such as `state = ${state} AND attribute_exists(id)`. Keywords are in
 * upper case. All other words are names of attributes or functions; names may be reserved words.
 * @param parts values, names made by `attribute`, and nested expressions
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html
 */
export function expression(texts: TemplateStringsArray, ...parts: unknown[]): Expression {
  return new Expression(texts, parts);
}

/** Returns a name for an expression. Any text may be a name. */
export function attribute(name: string): AttributeName {
  return new AttributeName(name);
}

/** Returns the part of an expression for a value; an empty expression for undefined. */
export function given<Value>(value: Value | undefined, part: (value: Value) => Expression): Expression {
  return value === undefined ? expression`` : part(value);
}

/** Joins values or expressions with commas. @param parts at least one */
export function list(parts: readonly unknown[]): Expression {
  return new Expression(["", ...parts.slice(1).map(() => ", "), ""], parts);
}

/**
 * Returns the assignments of `SET` for all attributes that are not undefined.
 * @param map the name of the map attribute that contains them, if they are in a map
 */
export function assignments(attributes: object, map?: string): Expression {
  const defined = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return list(defined.map(([name, value]) => expression`${placeOf(name, map)} = ${value}`));
}

/**
 * Returns the changes that set all defined attributes and remove the undefined ones.
 * @param map as in `assignments`
 */
export function replacements(attributes: object, map?: string): Expression {
  const entries = Object.entries(attributes);
  const removed = entries.filter(([, value]) => value === undefined).map(([name]) => placeOf(name, map));
  const set =
    removed.length < entries.length ? expression`SET ${assignments(attributes, map)} ` : expression``;
  return removed.length > 0 ? expression`${set}REMOVE ${list(removed)} ` : set;
}

function placeOf(name: string, map: string | undefined): Expression {
  return map === undefined
    ? expression`${attribute(name)}`
    : expression`${attribute(map)}.${attribute(name)}`;
}

interface Rendered {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

/**
 * Renders expressions as members of a DynamoDB input, with the names and values of all of them. Empty expressions are
 * omitted.
 */
export function render<Member extends string>(
  expressions: Partial<Record<Member, Expression | undefined>>,
): Partial<Record<Member, string>> & Rendered {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const aliasOf = (name: string) => {
    const known = Object.keys(names).find((alias) => names[alias] === name);
    const alias = known ?? (isWord.test(name) ? `#${name}` : `#_${Object.keys(names).length}`);
    names[alias] = name;
    return alias;
  };
  const textOf = (part: unknown): string => {
    if (part instanceof AttributeName) return aliasOf(part.name);
    if (part instanceof Expression) {
      const { texts, parts } = part;
      return texts
        .map((text, at) => `${text.replace(words, aliasWord)}${at < parts.length ? textOf(parts[at]) : ""}`)
        .join("");
    }
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = part;
    return placeholder;
  };
  const aliasWord = (word: string) => (keywords.has(word) ? word : aliasOf(word));
  const texts = Object.entries<Expression | undefined>(expressions)
    .map(([member, each]) => [member, each === undefined ? "" : textOf(each)])
    .filter(([, text]) => text !== "");
  return {
    ...(Object.fromEntries(texts) as Partial<Record<Member, string>>),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

const isWord = /^[A-Za-z]\w*$/;

/** Words that are not names of functions. */
const words = /[A-Za-z]\w*\b(?!\()/g;

const keywords = new Set(["ADD", "AND", "BETWEEN", "DELETE", "IN", "NOT", "OR", "REMOVE", "SET"]);
