import { type Token, tokenize } from "./tokens.ts";

/** Reads an expression token by token. */
export class TokenReader {
  private readonly tokens: Token[];
  private at = 0;

  /**
   * Reads the tokens of an expression.
   * @throws {SyntaxError} for an invalid token
   */
  constructor(expression: string) {
    this.tokens = tokenize(expression);
  }

  current(): Token {
    return this.tokens[this.at] as Token;
  }

  following(): Token {
    return this.tokens[this.at + 1] ?? this.current();
  }

  /** Returns the current token, and consumes it unless it is the end. */
  take(): Token {
    const token = this.current();
    if (token.type !== "end") this.at++;
    return token;
  }

  /** Consumes the current token if it is this operator. */
  takeOperator(text: string): boolean {
    return this.takeIf("operator", text);
  }

  /** Consumes the current token if it is this symbol. */
  takeSymbol(text: string): boolean {
    return this.takeIf("symbol", text);
  }

  /**
   * Consumes this symbol.
   * @throws {SyntaxError} when the current token is not this symbol
   */
  expect(text: string): void {
    if (!this.takeSymbol(text)) throw this.unexpected(`; expected ${text}`);
  }

  /** Builds the error for the current token. */
  unexpected(where = ""): SyntaxError {
    const { type, text, at } = this.current();
    return type === "end"
      ? new SyntaxError(`unexpected end${where}`)
      : new SyntaxError(`unexpected ${JSON.stringify(text)} at character ${at + 1}${where}`);
  }

  private takeIf(type: Token["type"], text: string): boolean {
    const token = this.current();
    const isIt = token.type === type && token.text === text;
    if (isIt) this.at++;
    return isIt;
  }
}
