import { htmlNamespace } from "../page/page-tree.ts";
import {
  type Axis,
  axes,
  type BinaryOperator,
  type Expression,
  type NodeTest,
  type NodeType,
  nodeTypes,
  type Step,
} from "./syntax.ts";
import { TokenReader } from "./token-reader.ts";
import { checkCall, typeOf } from "./type-check.ts";

/** Weakest first. */
const precedence: readonly BinaryOperator[][] = [
  ["or"],
  ["and"],
  ["=", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "div", "mod"],
];

/** Brackets within brackets; what people write needs less than ten. */
const maxDepth = 50;

const anyNode: Step = { axis: "descendant-or-self", test: { type: "node" }, predicates: [] };

/**
 * Parses an XPath 1.0 expression and checks its functions and types, so that no error is left for the pages.
 * @throws {SyntaxError} that says what is wrong, and where
 */
export function parseXPath(text: string): Expression {
  return new ExpressionParser(new TokenReader(text)).parse();
}

class ExpressionParser {
  private readonly words: TokenReader;
  private depth = 0;

  constructor(words: TokenReader) {
    this.words = words;
  }

  parse(): Expression {
    const expression = this.parseExpression();
    if (this.words.current().type !== "end") throw this.words.unexpected();
    return expression;
  }

  private parseExpression(): Expression {
    if (++this.depth > maxDepth) throw new SyntaxError(`more than ${maxDepth} brackets within brackets`);
    const expression = this.parseBinary(0);
    this.depth--;
    return expression;
  }

  private parseBinary(level: number): Expression {
    const operators = precedence[level];
    if (operators === undefined) return this.parseUnary();
    let left = this.parseBinary(level + 1);
    for (;;) {
      const operator = operators.find((each) => this.words.takeOperator(each));
      if (operator === undefined) return left;
      const right = this.parseBinary(level + 1);
      left = { type: "binary", operator, left: asOnPages(left, right), right: asOnPages(right, left) };
    }
  }

  private parseUnary(): Expression {
    return this.words.takeOperator("-") ? { type: "negate", operand: this.parseUnary() } : this.parseUnion();
  }

  private parseUnion(): Expression {
    let left = this.parsePath();
    while (this.words.takeOperator("|")) {
      const right = this.parsePath();
      left = { type: "union", left: needNodes(left, "|"), right: needNodes(right, "|") };
    }
    return left;
  }

  private parsePath(): Expression {
    if (this.words.takeOperator("//")) {
      return { type: "path", from: "root", predicates: [], steps: [anyNode, ...this.parseSteps()] };
    }
    if (this.words.takeOperator("/")) {
      const steps = this.startsStep() ? this.parseSteps() : [];
      return { type: "path", from: "root", predicates: [], steps };
    }
    if (this.startsPrimary()) return this.parseFilter();
    return { type: "path", from: "context", predicates: [], steps: this.parseSteps() };
  }

  private parseFilter(): Expression {
    const from = this.parsePrimary();
    const predicates = this.parsePredicates();
    const steps = this.words.takeOperator("//")
      ? [anyNode, ...this.parseSteps()]
      : this.words.takeOperator("/")
        ? this.parseSteps()
        : [];
    if (predicates.length === 0 && steps.length === 0) return from;
    needNodes(from, predicates.length > 0 ? "[ ]" : "/");
    return { type: "path", from, predicates, steps };
  }

  private parsePrimary(): Expression {
    const { type, text } = this.words.take();
    if (type === "number") return { type: "number", value: Number(text) };
    if (type === "literal") return { type: "string", value: text };
    if (type === "name") {
      const args = this.parseArguments();
      return { type: "call", name: checkCall(text, args), args };
    }
    const inner = this.parseExpression();
    this.words.expect(")");
    return inner;
  }

  private parseArguments(): Expression[] {
    this.words.expect("(");
    const args: Expression[] = [];
    if (this.words.takeSymbol(")")) return args;
    do args.push(this.parseExpression());
    while (this.words.takeSymbol(","));
    this.words.expect(")");
    return args;
  }

  private parseSteps(): Step[] {
    const steps = [this.parseStep()];
    for (;;) {
      if (this.words.takeOperator("//")) steps.push(anyNode, this.parseStep());
      else if (this.words.takeOperator("/")) steps.push(this.parseStep());
      else return steps;
    }
  }

  private parseStep(): Step {
    if (this.words.takeSymbol(".")) return { axis: "self", test: { type: "node" }, predicates: [] };
    if (this.words.takeSymbol("..")) return { axis: "parent", test: { type: "node" }, predicates: [] };
    return { axis: this.parseAxis(), test: this.parseNodeTest(), predicates: this.parsePredicates() };
  }

  private parseAxis(): Axis {
    if (this.words.takeSymbol("@")) return "attribute";
    if (this.words.following().text !== "::") return "child";
    const { text } = this.words.take();
    this.words.expect("::");
    const axis = axes.find((each) => each === text);
    if (axis === undefined) throw new SyntaxError(`there is no axis ${text}::`);
    return axis;
  }

  private parseNodeTest(): NodeTest {
    if (this.words.takeSymbol("*")) return { type: "any-name" };
    const { type, text } = this.words.current();
    if (type !== "name") throw this.words.unexpected();
    this.words.take();
    const nodeType = nodeTypeOf(text);
    if (nodeType === undefined || !this.words.takeSymbol("(")) return { type: "name", name: text };
    const namesTarget = nodeType === "processing-instruction" && this.words.current().type === "literal";
    const target = namesTarget ? { target: this.words.take().text } : {};
    this.words.expect(")");
    return { type: nodeType, ...target };
  }

  private parsePredicates(): Expression[] {
    const predicates: Expression[] = [];
    while (this.words.takeSymbol("[")) {
      predicates.push(this.parseExpression());
      this.words.expect("]");
    }
    return predicates;
  }

  private startsStep(): boolean {
    const { type, text } = this.words.current();
    return type === "name" || (type === "symbol" && ["@", ".", "..", "*"].includes(text));
  }

  private startsPrimary(): boolean {
    const { type, text } = this.words.current();
    if (type === "name") return this.words.following().text === "(" && nodeTypeOf(text) === undefined;
    return type === "number" || type === "literal" || (type === "symbol" && text === "(");
  }
}

function nodeTypeOf(name: string): NodeType | undefined {
  return nodeTypes.find((each) => each === name);
}

function needNodes(expression: Expression, operator: string): Expression {
  const type = typeOf(expression);
  if (type !== "nodes") throw new SyntaxError(`${operator} needs nodes, not a ${type}`);
  return expression;
}

/** HTML's elements have no namespace on our pages: whoever compares theirs with HTML's means the same. */
function asOnPages(side: Expression, other: Expression): Expression {
  const isCompared = other.type === "call" && other.name === "namespace-uri";
  const isHtml = side.type === "string" && side.value === htmlNamespace;
  return isCompared && isHtml ? { type: "string", value: "" } : side;
}
