import { type Token, tokenize } from "./tokens.ts";

/** Reads an expression word by word. */
export class TokenReader {
  private readonly tokens: Token[];
  private at = 0;

  /** @throws {SyntaxError} when there is something that is no word */
  constructor(expression: string) {
    this.tokens = tokenize(expression);
  }

  current(): Token {
    return this.tokens[this.at] as Token;
  }

  following(): Token {
    return this.tokens[this.at + 1] ?? this.current();
  }

  /** The current word, which is passed; the end is never passed. */
  take(): Token {
    const token = this.current();
    if (token.type !== "end") this.at++;
    return token;
  }

  /** Passes the current word if it is this operator. */
  takeOperator(text: string): boolean {
    return this.takeIf("operator", text);
  }

  /** Passes the current word if it is this symbol. */
  takeSymbol(text: string): boolean {
    return this.takeIf("symbol", text);
  }

  /** @throws {SyntaxError} when the current word is not this symbol, which is passed */
  expect(text: string): void {
    if (!this.takeSymbol(text)) throw this.unexpected(`, where ${text} is needed`);
  }

  /** That the current word cannot stand here. */
  unexpected(where = ""): SyntaxError {
    const { type, text, at } = this.current();
    return type === "end"
      ? new SyntaxError(`it ends too early${where}`)
      : new SyntaxError(`${JSON.stringify(text)} cannot stand at character ${at + 1}${where}`);
  }

  private takeIf(type: Token["type"], text: string): boolean {
    const token = this.current();
    const isIt = token.type === type && token.text === text;
    if (isIt) this.at++;
    return isIt;
  }
}
