import { htmlNamespace } from "../tree/page-tree.ts";
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

/** The binary operators, lowest precedence first. */
const precedence: readonly BinaryOperator[][] = [
  ["or"],
  ["and"],
  ["=", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-"],
  ["*", "div", "mod"],
];

/** The maximum depth of nested brackets; real rules have fewer than ten. */
const maxDepth = 50;

const anyNode: Step = { axis: "descendant-or-self", test: { type: "node" }, predicates: [] };

/**
 * Parses an XPath 1.0 expression. Also checks its functions and types, so that its evaluation cannot fail because of
 * them.
 * @throws {SyntaxError} that names the problem and its position
 */
export function parseXPath(text: string): Expression {
  return new ExpressionParser(new TokenReader(text)).parse();
}

class ExpressionParser {
  private readonly tokens: TokenReader;
  private depth = 0;

  constructor(tokens: TokenReader) {
    this.tokens = tokens;
  }

  parse(): Expression {
    const expression = this.parseExpression();
    if (this.tokens.current().type !== "end") throw this.tokens.unexpected();
    return expression;
  }

  private parseExpression(): Expression {
    if (++this.depth > maxDepth) throw new SyntaxError(`more than ${maxDepth} nested brackets`);
    const expression = this.parseBinary(0);
    this.depth--;
    return expression;
  }

  private parseBinary(level: number): Expression {
    const operators = precedence[level];
    if (operators === undefined) return this.parseUnary();
    let left = this.parseBinary(level + 1);
    for (;;) {
      const operator = operators.find((each) => this.tokens.takeOperator(each));
      if (operator === undefined) return left;
      const right = this.parseBinary(level + 1);
      left = {
        type: "binary",
        operator,
        left: withoutHtmlNamespace(left, right),
        right: withoutHtmlNamespace(right, left),
      };
    }
  }

  private parseUnary(): Expression {
    return this.tokens.takeOperator("-") ? { type: "negate", operand: this.parseUnary() } : this.parseUnion();
  }

  private parseUnion(): Expression {
    let left = this.parsePath();
    while (this.tokens.takeOperator("|")) {
      const right = this.parsePath();
      left = { type: "union", left: needNodes(left, "|"), right: needNodes(right, "|") };
    }
    return left;
  }

  private parsePath(): Expression {
    if (this.tokens.takeOperator("//")) {
      return { type: "path", from: "root", predicates: [], steps: [anyNode, ...this.parseSteps()] };
    }
    if (this.tokens.takeOperator("/")) {
      const steps = this.startsStep() ? this.parseSteps() : [];
      return { type: "path", from: "root", predicates: [], steps };
    }
    if (this.startsPrimary()) return this.parseFilter();
    return { type: "path", from: "context", predicates: [], steps: this.parseSteps() };
  }

  private parseFilter(): Expression {
    const from = this.parsePrimary();
    const predicates = this.parsePredicates();
    const steps = this.tokens.takeOperator("//")
      ? [anyNode, ...this.parseSteps()]
      : this.tokens.takeOperator("/")
        ? this.parseSteps()
        : [];
    if (predicates.length === 0 && steps.length === 0) return from;
    needNodes(from, predicates.length > 0 ? "[ ]" : "/");
    return { type: "path", from, predicates, steps };
  }

  private parsePrimary(): Expression {
    const { type, text } = this.tokens.take();
    if (type === "number") return { type: "number", value: Number(text) };
    if (type === "literal") return { type: "string", value: text };
    if (type === "name") {
      const args = this.parseArguments();
      return { type: "call", name: checkCall(text, args), args };
    }
    const inner = this.parseExpression();
    this.tokens.expect(")");
    return inner;
  }

  private parseArguments(): Expression[] {
    this.tokens.expect("(");
    const args: Expression[] = [];
    if (this.tokens.takeSymbol(")")) return args;
    do args.push(this.parseExpression());
    while (this.tokens.takeSymbol(","));
    this.tokens.expect(")");
    return args;
  }

  private parseSteps(): Step[] {
    const steps = [this.parseStep()];
    for (;;) {
      if (this.tokens.takeOperator("//")) steps.push(anyNode, this.parseStep());
      else if (this.tokens.takeOperator("/")) steps.push(this.parseStep());
      else return steps;
    }
  }

  private parseStep(): Step {
    if (this.tokens.takeSymbol(".")) return { axis: "self", test: { type: "node" }, predicates: [] };
    if (this.tokens.takeSymbol("..")) return { axis: "parent", test: { type: "node" }, predicates: [] };
    return { axis: this.parseAxis(), test: this.parseNodeTest(), predicates: this.parsePredicates() };
  }

  private parseAxis(): Axis {
    if (this.tokens.takeSymbol("@")) return "attribute";
    if (this.tokens.following().text !== "::") return "child";
    const { text } = this.tokens.take();
    this.tokens.expect("::");
    const axis = axes.find((each) => each === text);
    if (axis === undefined) throw new SyntaxError(`unknown axis ${text}::`);
    return axis;
  }

  private parseNodeTest(): NodeTest {
    if (this.tokens.takeSymbol("*")) return { type: "any-name" };
    const { type, text } = this.tokens.current();
    if (type !== "name") throw this.tokens.unexpected();
    this.tokens.take();
    const nodeType = nodeTypeOf(text);
    if (nodeType === undefined || !this.tokens.takeSymbol("(")) return { type: "name", name: text };
    const namesTarget = nodeType === "processing-instruction" && this.tokens.current().type === "literal";
    const target = namesTarget ? { target: this.tokens.take().text } : {};
    this.tokens.expect(")");
    return { type: nodeType, ...target };
  }

  private parsePredicates(): Expression[] {
    const predicates: Expression[] = [];
    while (this.tokens.takeSymbol("[")) {
      predicates.push(this.parseExpression());
      this.tokens.expect("]");
    }
    return predicates;
  }

  private startsStep(): boolean {
    const { type, text } = this.tokens.current();
    return type === "name" || (type === "symbol" && ["@", ".", "..", "*"].includes(text));
  }

  private startsPrimary(): boolean {
    const { type, text } = this.tokens.current();
    if (type === "name") return this.tokens.following().text === "(" && nodeTypeOf(text) === undefined;
    return type === "number" || type === "literal" || (type === "symbol" && text === "(");
  }
}

function nodeTypeOf(name: string): NodeType | undefined {
  return nodeTypes.find((each) => each === name);
}

function needNodes(expression: Expression, operator: string): Expression {
  const type = typeOf(expression);
  if (type !== "nodes") throw new SyntaxError(`${operator} needs a node-set, not a ${type}`);
  return expression;
}

/**
 * Replaces the XHTML namespace with an empty string where it is compared with `namespace-uri()`, because HTML elements
 * have no namespace in a `PageTree`.
 */
function withoutHtmlNamespace(side: Expression, other: Expression): Expression {
  const isCompared = other.type === "call" && other.name === "namespace-uri";
  const isHtml = side.type === "string" && side.value === htmlNamespace;
  return isCompared && isHtml ? { type: "string", value: "" } : side;
}
