/**
 * A token. A `name` is that of an element, attribute or function. `and`, `div` and so on are `operator` where they act
 * as operators.
 */
export interface Token {
  type: "number" | "literal" | "name" | "operator" | "symbol" | "end";
  text: string;
  /** The index of the first character. */
  at: number;
}

const tokenPattern =
  /\s*(?:(?<number>\d+(?:\.\d*)?|\.\d+)|(?<literal>"[^"]*"|'[^']*')|(?<name>[\p{L}_][\p{L}\p{M}\p{N}_.·-]*)|(?<symbol>::|\.\.|\/\/|!=|<=|>=|[()[\]@,.$|+=<>/*-]))/uy;

const operatorNames: ReadonlySet<string> = new Set(["and", "or", "div", "mod"]);
const operatorSymbols: ReadonlySet<string> = new Set([
  "/",
  "//",
  "|",
  "+",
  "-",
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
]);
const operandOpeners: ReadonlySet<string> = new Set(["@", "::", "(", "[", ","]);

/**
 * Splits an expression into tokens. The last token has the type `end`.
 * @throws {SyntaxError} that names the invalid token and its position
 * @see https://www.w3.org/TR/1999/REC-xpath-19991116/#exprlex
 */
export function tokenize(expression: string): Token[] {
  const tokens: Token[] = [];
  const { length } = expression.trimEnd();
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < length) {
    const from = tokenPattern.lastIndex;
    const groups = tokenPattern.exec(expression)?.groups;
    if (groups === undefined) throw unreadable(expression, from);
    const { number, literal, name, symbol } = groups;
    const text = number ?? literal ?? name ?? symbol ?? "";
    const at = tokenPattern.lastIndex - text.length;
    if (name !== undefined) refusePrefix(expression, tokenPattern.lastIndex, name);
    if (symbol === "$") throw new SyntaxError("variables are not supported");
    const mayOperate = endsOperand(tokens.at(-1));
    if (number !== undefined) tokens.push({ type: "number", text, at });
    else if (literal !== undefined) tokens.push({ type: "literal", text: text.slice(1, -1), at });
    else if (mayOperate && (operatorNames.has(text) || text === "*"))
      tokens.push({ type: "operator", text, at });
    else if (name !== undefined) tokens.push({ type: "name", text, at });
    else tokens.push({ type: operatorSymbols.has(text) ? "operator" : "symbol", text, at });
  }
  tokens.push({ type: "end", text: "", at: length });
  return tokens;
}

/** Returns whether the token ends an operand, so that a following `*`, `and`, `div` … is an operator and not a name. */
function endsOperand(token: Token | undefined): boolean {
  return token !== undefined && token.type !== "operator" && !operandOpeners.has(token.text);
}

/** Refuses a prefix. Names match without namespaces, because HTML has no prefixes. */
function refusePrefix(expression: string, end: number, name: string): void {
  if (expression[end] === ":" && expression[end + 1] !== ":") {
    throw new SyntaxError(`the prefix ${name}: is not bound: use the local name alone`);
  }
}

function unreadable(expression: string, from: number): SyntaxError {
  const rest = expression.slice(from).trimStart();
  const at = expression.length - rest.length + 1;
  return /^["']/.test(rest)
    ? new SyntaxError(`the string at character ${at} has no end`)
    : new SyntaxError(`unexpected ${JSON.stringify([...rest][0])} at character ${at}`);
}
