import { nodeFoundCost } from "../tree/cost-budget.ts";
import { nodeKind, type PageTree } from "../tree/page-tree.ts";
import { reverseAxes, visitAxis } from "./axes.ts";
import { callFunction, type EvaluationContext } from "./call-function.ts";
import type { Arithmetic, Expression, NodeTest, Path, Step } from "./syntax.ts";
import { compare, toBoolean, toNumber, type Value } from "./values.ts";

/**
 * Evaluates a parsed expression.
 * @throws {PageTooLarge} when the evaluation costs too much on this page
 */
export function evaluate(expression: Expression, context: EvaluationContext): Value {
  switch (expression.type) {
    case "number":
    case "string":
      return expression.value;
    case "negate":
      return -toNumber(evaluate(expression.operand, context), context);
    case "call":
      return callFunction(
        expression.name,
        context,
        expression.args.map((arg) => evaluate(arg, context)),
      );
    case "union":
      return sortedUnique(
        [...nodesOf(expression.left, context), ...nodesOf(expression.right, context)],
        context,
      );
    case "path":
      return evaluatePath(expression, context);
    case "binary":
      return evaluateBinary(expression, context);
  }
}

function evaluateBinary(
  { operator, left, right }: Extract<Expression, { type: "binary" }>,
  context: EvaluationContext,
): Value {
  const first = evaluate(left, context);
  if (operator === "or") return toBoolean(first) || toBoolean(evaluate(right, context));
  if (operator === "and") return toBoolean(first) && toBoolean(evaluate(right, context));
  const second = evaluate(right, context);
  if (isArithmetic(operator)) return calculate(operator, toNumber(first, context), toNumber(second, context));
  return compare(operator, first, second, context);
}

function isArithmetic(operator: string): operator is Arithmetic {
  return ["+", "-", "*", "div", "mod"].includes(operator);
}

function calculate(operator: Arithmetic, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "div":
      return a / b;
    case "mod":
      return a % b;
  }
}

function evaluatePath({ from, predicates, steps }: Path, context: EvaluationContext): number[] {
  let nodes: number[];
  if (from === "root") nodes = [0];
  else if (from === "context") nodes = [context.node];
  else nodes = filterAll(predicates, nodesOf(from, context), context);
  for (const step of steps) nodes = takeStep(step, nodes, context);
  return nodes;
}

function nodesOf(expression: Expression, context: EvaluationContext): number[] {
  const value = evaluate(expression, context);
  return Array.isArray(value) ? value : [];
}

const fewNodes = 100;

function takeStep(step: Step, from: number[], context: EvaluationContext): number[] {
  const { page } = context;
  const matches = nodeTest(
    step.test,
    page,
    step.axis === "attribute" ? nodeKind.attribute : nodeKind.element,
  );
  const skipsNested = step.predicates.length === 0 && step.axis.startsWith("descendant");
  const found: number[] = [];
  let coveredTo = 0;
  for (const node of from) {
    // The descendants have already been found from an ancestor.
    if (skipsNested && node < coveredTo && page.kinds[node] !== nodeKind.attribute) continue;
    coveredTo = Math.max(coveredTo, page.ends[node] ?? 0);
    const candidates: number[] = step.predicates.length === 0 ? found : [];
    const before = candidates.length;
    const looks = visitAxis[step.axis](page, node, (each) => {
      if (matches(each)) candidates.push(each);
    });
    context.budget.spend(1 + looks + (candidates.length - before) * nodeFoundCost);
    if (candidates === found) continue;
    for (const each of filterAll(step.predicates, candidates, context)) found.push(each);
  }
  return from.length > 1 || reverseAxes.has(step.axis) ? sortedUnique(found, context) : found;
}

/** Applies the predicates one after the other. A predicate that is a number selects the node at that position. */
function filterAll(predicates: Expression[], nodes: number[], { page, budget }: EvaluationContext): number[] {
  return predicates.reduce((left, predicate) => {
    const size = left.length;
    budget.spend(size);
    return left.filter((node, index) => {
      const position = index + 1;
      const value = evaluate(predicate, { page, budget, node, position, size });
      return typeof value === "number" ? value === position : toBoolean(value);
    });
  }, nodes);
}

/** Builds the test of a node. A name selects nodes of the principal type, in HTML regardless of case. */
function nodeTest(test: NodeTest, page: PageTree, principal: number): (node: number) => boolean {
  const { kinds, names } = page;
  switch (test.type) {
    case "node":
      return () => true;
    case "any-name":
      return (node) => kinds[node] === principal;
    case "text":
      return (node) => kinds[node] === nodeKind.text;
    case "comment":
      return (node) => kinds[node] === nodeKind.comment;
    case "processing-instruction": {
      const { target } = test;
      return (node) =>
        kinds[node] === nodeKind.instruction && (target === undefined || names[node] === target);
    }
    case "name": {
      const { name } = test;
      const folded = page.isHtml ? name.toLowerCase() : name;
      return (node) => kinds[node] === principal && (names[node] === name || names[node] === folded);
    }
  }
}

/**
 * Returns the nodes in document order, each once. Many nodes are marked in a bitmap, because sorting them would cost
 * more than finding them.
 */
function sortedUnique(nodes: number[], { page, budget }: EvaluationContext): number[] {
  if (nodes.every((node, index) => index === 0 || (nodes[index - 1] ?? 0) < node)) return nodes;
  if (nodes.length < fewNodes) return [...new Set(nodes)].sort((a, b) => a - b);
  budget.spend(page.kinds.length);
  const marks = new Uint8Array(page.kinds.length);
  for (const node of nodes) marks[node] = 1;
  const ordered: number[] = [];
  for (const [node, mark] of marks.entries()) if (mark === 1) ordered.push(node);
  return ordered;
}
