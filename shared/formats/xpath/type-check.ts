import { type FunctionName, isFunctionName, signatures } from "./functions.ts";
import type { Expression } from "./syntax.ts";
import type { ValueType } from "./value-type.ts";

const comparing: ReadonlySet<string> = new Set(["or", "and", "=", "!=", "<", "<=", ">", ">="]);

/** Returns the static type of an expression. */
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
 * Checks that a function exists and accepts the arguments.
 * @returns the function's name
 * @throws {SyntaxError} that names the problem
 */
export function checkCall(name: string, args: readonly Expression[]): FunctionName {
  if (!isFunctionName(name)) throw new SyntaxError(`unknown function ${name}()`);
  const { parameters, required, repeats = false } = signatures[name];
  if (args.length < required || (args.length > parameters.length && !repeats)) {
    throw new SyntaxError(`${name}() does not take ${args.length} arguments`);
  }
  for (const [index, arg] of args.entries()) {
    if (parameters[index] === "nodes" && typeOf(arg) !== "nodes") {
      throw new SyntaxError(`${name}() needs a node-set, not a ${typeOf(arg)}`);
    }
  }
  return name;
}
