import {
  type Axis,
  axes,
  type BinaryOperator,
  type Expression,
  type NodeTest,
  type NodeType,
  nodeTypes,
  type Step,
} from "./xpath-syntax.ts";
import { type Token, tokenize } from "./xpath-tokens.ts";
import { checkCall, typeOf } from "./xpath-types.ts";

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
  return new ExpressionParser(tokenize(text)).parse();
}

class ExpressionParser {
  private readonly tokens: Token[];
  private at = 0;
  private depth = 0;

  constructor(tokens: Token[]) {
    this.tokens = tokens;
  }

  parse(): Expression {
    const expression = this.parseExpression();
    if (this.current().type !== "end") throw this.unexpected();
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
      const operator = operators.find((each) => this.isOperator(each));
      if (operator === undefined) return left;
      this.at++;
      left = { type: "binary", operator, left, right: this.parseBinary(level + 1) };
    }
  }

  private parseUnary(): Expression {
    return this.takeOperator("-") ? { type: "negate", operand: this.parseUnary() } : this.parseUnion();
  }

  private parseUnion(): Expression {
    let left = this.parsePath();
    while (this.takeOperator("|")) {
      const right = this.parsePath();
      left = { type: "union", left: needNodes(left, "|"), right: needNodes(right, "|") };
    }
    return left;
  }

  private parsePath(): Expression {
    if (this.takeOperator("//")) {
      return { type: "path", from: "root", predicates: [], steps: [anyNode, ...this.parseSteps()] };
    }
    if (this.takeOperator("/")) {
      const steps = this.startsStep() ? this.parseSteps() : [];
      return { type: "path", from: "root", predicates: [], steps };
    }
    if (this.startsPrimary()) return this.parseFilter();
    return { type: "path", from: "context", predicates: [], steps: this.parseSteps() };
  }

  private parseFilter(): Expression {
    const from = this.parsePrimary();
    const predicates = this.parsePredicates();
    const steps = this.takeOperator("//")
      ? [anyNode, ...this.parseSteps()]
      : this.takeOperator("/")
        ? this.parseSteps()
        : [];
    if (predicates.length === 0 && steps.length === 0) return from;
    needNodes(from, predicates.length > 0 ? "[ ]" : "/");
    return { type: "path", from, predicates, steps };
  }

  private parsePrimary(): Expression {
    const { type, text } = this.take();
    if (type === "number") return { type: "number", value: Number(text) };
    if (type === "literal") return { type: "string", value: text };
    if (type === "name") {
      const args = this.parseArguments();
      checkCall(text, args);
      return { type: "call", name: text, args };
    }
    const inner = this.parseExpression();
    this.expect(")");
    return inner;
  }

  private parseArguments(): Expression[] {
    this.expect("(");
    const args: Expression[] = [];
    if (this.takeSymbol(")")) return args;
    do args.push(this.parseExpression());
    while (this.takeSymbol(","));
    this.expect(")");
    return args;
  }

  private parseSteps(): Step[] {
    const steps = [this.parseStep()];
    for (;;) {
      if (this.takeOperator("//")) steps.push(anyNode, this.parseStep());
      else if (this.takeOperator("/")) steps.push(this.parseStep());
      else return steps;
    }
  }

  private parseStep(): Step {
    if (this.takeSymbol(".")) return { axis: "self", test: { type: "node" }, predicates: [] };
    if (this.takeSymbol("..")) return { axis: "parent", test: { type: "node" }, predicates: [] };
    return { axis: this.parseAxis(), test: this.parseNodeTest(), predicates: this.parsePredicates() };
  }

  private parseAxis(): Axis {
    if (this.takeSymbol("@")) return "attribute";
    if (this.following().text !== "::") return "child";
    const { text } = this.take();
    this.at++;
    const axis = axes.find((each) => each === text);
    if (axis === undefined) throw new SyntaxError(`there is no axis ${text}::`);
    return axis;
  }

  private parseNodeTest(): NodeTest {
    if (this.takeSymbol("*")) return { type: "any-name" };
    const { type, text } = this.current();
    if (type !== "name") throw this.unexpected();
    this.at++;
    const nodeType = nodeTypeOf(text);
    if (nodeType === undefined || !this.takeSymbol("(")) return { type: "name", name: text };
    if (nodeType === "processing-instruction" && this.current().type === "literal") this.at++;
    this.expect(")");
    return { type: nodeType };
  }

  private parsePredicates(): Expression[] {
    const predicates: Expression[] = [];
    while (this.takeSymbol("[")) {
      predicates.push(this.parseExpression());
      this.expect("]");
    }
    return predicates;
  }

  private startsStep(): boolean {
    const { type, text } = this.current();
    return type === "name" || (type === "symbol" && ["@", ".", "..", "*"].includes(text));
  }

  private startsPrimary(): boolean {
    const { type, text } = this.current();
    if (type === "name") return this.following().text === "(" && nodeTypeOf(text) === undefined;
    return type === "number" || type === "literal" || (type === "symbol" && text === "(");
  }

  private current(): Token {
    return this.tokens[this.at] as Token;
  }

  private following(): Token {
    return this.tokens[this.at + 1] ?? this.current();
  }

  private take(): Token {
    const token = this.current();
    this.at++;
    return token;
  }

  private isOperator(text: string): boolean {
    const token = this.current();
    return token.type === "operator" && token.text === text;
  }

  private takeOperator(text: string): boolean {
    const isNext = this.isOperator(text);
    if (isNext) this.at++;
    return isNext;
  }

  private takeSymbol(text: string): boolean {
    const token = this.current();
    const isNext = token.type === "symbol" && token.text === text;
    if (isNext) this.at++;
    return isNext;
  }

  private expect(text: string): void {
    if (!this.takeSymbol(text)) throw this.unexpected(`, where ${text} is needed`);
  }

  private unexpected(where = ""): SyntaxError {
    const { type, text, at } = this.current();
    return type === "end"
      ? new SyntaxError(`it ends too early${where}`)
      : new SyntaxError(`${JSON.stringify(text)} cannot stand at character ${at + 1}${where}`);
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
