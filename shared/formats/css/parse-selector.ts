/** How a compound selector relates to the one before it. */
export type Combinator = " " | ">" | "+" | "~";

export interface AttributeTest {
  /** In lower case. */
  attribute: string;
  operator: "exists" | "=" | "~=" | "|=" | "^=" | "$=" | "*=";
  value: string;
  ignoresCase: boolean;
}

/** The conditions on one element. */
export interface Compound {
  /** In lower case; absent for `*`. */
  name?: string;
  tests: AttributeTest[];
  not: Compound[];
}

/** A selector: compounds from left to right. The first combinator is a space. */
export type Selector = { combinator: Combinator; compound: Compound }[];

/** The maximum number of compounds of a list of selectors; real lists have fewer than 20. */
const maxCompounds = 50;

const identifier = /(?:[\w-]|[^\0-\x7f]|\\[^\r\n\f])+/y;
const attributeTest =
  /\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))\s*([is])?\s*)?\]/iy;
const combinator = /\s*([>+~,])\s*|\s+/y;

/**
 * Parses a list of CSS selectors: element names, `*`, `.class`, `#id`, attributes, `:not()`, and the four combinators.
 * Classes and ids match regardless of case, because publishers change it.
 * @throws {SyntaxError} that names the problem and its position
 * @see https://www.w3.org/TR/selectors-4/
 */
export function parseSelectors(text: string): Selector[] {
  return new SelectorParser(text.trim()).parse();
}

class SelectorParser {
  private readonly text: string;
  private at = 0;
  private compounds = 0;

  constructor(text: string) {
    this.text = text;
  }

  parse(): Selector[] {
    const selectors: Selector[] = [[{ combinator: " ", compound: this.parseCompound() }]];
    while (this.at < this.text.length) {
      const match = this.read(combinator);
      if (match === undefined) throw this.unexpected();
      const sign = match[1] ?? " ";
      const compound = this.parseCompound();
      if (sign === ",") selectors.push([{ combinator: " ", compound }]);
      else selectors.at(-1)?.push({ combinator: sign as Combinator, compound });
    }
    return selectors;
  }

  private parseCompound(): Compound {
    if (++this.compounds > maxCompounds) throw new SyntaxError(`more than ${maxCompounds} selectors`);
    const start = this.at;
    const compound: Compound = { tests: [], not: [] };
    const name = this.read(identifier)?.[0];
    if (name !== undefined) compound.name = withoutEscapes(name).toLowerCase();
    else if (this.text[this.at] === "*") this.at++;
    while (this.parsePart(compound));
    if (this.at === start) throw this.unexpected();
    return compound;
  }

  /** Adds one condition. @returns false if there is none */
  private parsePart(compound: Compound): boolean {
    const sign = this.text[this.at];
    if (sign === "." || sign === "#") {
      this.at++;
      const name = this.read(identifier)?.[0];
      if (name === undefined) throw this.unexpected();
      const [attribute, operator] = sign === "." ? (["class", "~="] as const) : (["id", "="] as const);
      compound.tests.push({
        attribute,
        operator,
        value: withoutEscapes(name).toLowerCase(),
        ignoresCase: true,
      });
      return true;
    }
    const test = this.read(attributeTest);
    if (test !== undefined) {
      compound.tests.push(buildTest(test));
      return true;
    }
    if (!this.text.startsWith(":not(", this.at)) return false;
    this.at += ":not(".length;
    compound.not.push(this.parseCompound());
    if (this.text[this.at] !== ")") throw this.unexpected();
    this.at++;
    return true;
  }

  private read(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return undefined;
    this.at = pattern.lastIndex;
    return match;
  }

  private unexpected(): SyntaxError {
    const found = this.text.slice(this.at, this.at + 20);
    const what = found === "" ? "the selector ends too early" : `"${found}" is not supported`;
    const hint = found.startsWith(":") ? "; use xpath" : "";
    return new SyntaxError(`${what} at position ${this.at + 1}${hint}`);
  }
}

function buildTest([, attribute = "", operator, double, single, bare, flag]: RegExpExecArray): AttributeTest {
  const ignoresCase = flag?.toLowerCase() === "i";
  const value = double ?? single ?? bare ?? "";
  return {
    attribute: attribute.toLowerCase(),
    operator: operator === undefined ? "exists" : (operator as AttributeTest["operator"]),
    value: ignoresCase ? value.toLowerCase() : value,
    ignoresCase,
  };
}

function withoutEscapes(name: string): string {
  return name.replace(/\\(.)/gu, "$1");
}
