import { type FunctionName, isFunctionName, signatures } from "./functions.ts";
import type { Expression } from "./syntax.ts";
import type { ValueType } from "./value-type.ts";

const comparing: ReadonlySet<string> = new Set(["or", "and", "=", "!=", "<", "<=", ">", ">="]);

/** The type of the value that an expression has on every page. */
export function typeOf(expression: Expression): ValueType {
  switch (expression.type) {
    case "number":
    case "negate":
      return "number";
    case "string":
      return "string";
    case "call":
      return signatures[expression.name].result;
    case "binary":
      return comparing.has(expression.operator) ? "boolean" : "number";
    case "union":
      return "nodes";
    case "path":
      return "nodes";
  }
}

/**
 * Checks that a function exists and is given what it can take; gives its name.
 * @throws {SyntaxError} that says what is wrong
 */
export function checkCall(name: string, args: readonly Expression[]): FunctionName {
  if (!isFunctionName(name)) throw new SyntaxError(`there is no function ${name}()`);
  const { parameters, required, repeats = false } = signatures[name];
  if (args.length < required || (args.length > parameters.length && !repeats)) {
    throw new SyntaxError(`${name}() cannot have ${args.length} arguments`);
  }
  for (const [index, arg] of args.entries()) {
    if (parameters[index] === "nodes" && typeOf(arg) !== "nodes") {
      throw new SyntaxError(`${name}() needs nodes, not a ${typeOf(arg)}`);
    }
  }
  return name;
}
