import type { FunctionName } from "./functions.ts";

/** The parts of an XPath 1.0 expression. @see https://www.w3.org/TR/1999/REC-xpath-19991116/ */
export type Expression =
  | { type: "number"; value: number }
  | { type: "string"; value: string }
  | { type: "call"; name: FunctionName; args: Expression[] }
  | { type: "negate"; operand: Expression }
  | { type: "binary"; operator: BinaryOperator; left: Expression; right: Expression }
  | { type: "union"; left: Expression; right: Expression }
  | Path;

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type Arithmetic = "+" | "-" | "*" | "div" | "mod";
export type BinaryOperator = "or" | "and" | Comparison | Arithmetic;

/** Steps from the root of the page, from the context node, or from the nodes of an expression. */
export interface Path {
  type: "path";
  from: "root" | "context" | Expression;
  /** The predicates of the expression in `from`. */
  predicates: Expression[];
  steps: Step[];
}

export interface Step {
  axis: Axis;
  test: NodeTest;
  predicates: Expression[];
}

export const axes = [
  "ancestor",
  "ancestor-or-self",
  "attribute",
  "child",
  "descendant",
  "descendant-or-self",
  "following",
  "following-sibling",
  "namespace",
  "parent",
  "preceding",
  "preceding-sibling",
  "self",
] as const;
export type Axis = (typeof axes)[number];

export const nodeTypes = ["comment", "text", "processing-instruction", "node"] as const;
export type NodeType = (typeof nodeTypes)[number];

export type NodeTest =
  | { type: "name"; name: string }
  | { type: "any-name" }
  | { type: NodeType /** For processing instructions. */; target?: string };
