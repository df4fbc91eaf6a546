/** Draws XML documents and XPath 1.0 expressions that belong together: the same names, values and targets occur in both. */
export class RandomXPath {
  private readonly random: () => number;

  /** @param random in [0, 1) */
  constructor(random: () => number) {
    this.random = random;
  }

  document(): string {
    const beside = () => this.oneOf(["", "<!--a-->", "<?p 1?>"]);
    return `<?xml version="1.0"?>${beside()}${this.element(4)}${beside()}`;
  }

  expression(): string {
    return this.oneOf([this.nodes, this.nodes, this.number, this.string, this.boolean]).call(this, 3);
  }

  private element(depth: number): string {
    const name = this.oneOf(names);
    const attributes = attributeNames
      .filter(() => this.random() < 0.3)
      .map((each) => ` ${each}="${this.oneOf(texts)}"`)
      .join("");
    const content = Array.from({ length: depth === 0 ? 1 : this.below(6) }, () => this.content(depth)).join(
      "",
    );
    return content === "" ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
  }

  private content(depth: number): string {
    const roll = this.random();
    if (depth === 0 || roll < 0.3) return this.oneOf(texts);
    if (roll < 0.4) return `<!--${this.oneOf(texts)}-->`;
    if (roll < 0.5) return `<?${this.oneOf(targets)} ${this.oneOf(texts).trim()}?>`;
    return this.element(depth - 1);
  }

  private nodes(depth: number): string {
    const roll = this.random();
    if (depth > 0 && roll < 0.1) return `${this.nodes(depth - 1)} | ${this.nodes(depth - 1)}`;
    if (depth > 0 && roll < 0.2) return `(${this.nodes(depth - 1)})${this.predicate(depth - 1)}`;
    const start = this.oneOf(["//", "//", "/", "./", "/*/"]);
    const steps = Array.from({ length: 1 + this.below(3) }, () => this.step(depth));
    // The library finds nothing after and before attributes: the table has these.
    const ending =
      this.random() < 0.2 ? `/@${this.oneOf([...attributeNames, "*"])}${this.parentOfAttribute()}` : "";
    return `${start}${steps.join(this.oneOf(["/", "/", "//"]))}${ending}`;
  }

  private parentOfAttribute(): string {
    return this.oneOf([
      "",
      "",
      "",
      "/..",
      "/ancestor::*",
      "/ancestor-or-self::node()",
      "/self::node()",
      "/parent::b",
    ]);
  }

  private step(depth: number): string {
    if (this.random() < 0.1) return this.oneOf([".", ".."]);
    const predicate = depth > 0 && this.random() < 0.4 ? this.predicate(depth - 1) : "";
    const more = predicate !== "" && this.random() < 0.2 ? this.predicate(depth - 1) : "";
    const axis = this.random() < 0.5 ? "" : `${this.oneOf(axes)}::`;
    return `${axis}${this.nodeTest()}${predicate}${more}`;
  }

  private nodeTest(): string {
    const others = [
      "*",
      "node()",
      "text()",
      "comment()",
      "processing-instruction()",
      `processing-instruction('p')`,
    ];
    return this.random() < 0.6 ? this.oneOf(names) : this.oneOf(others);
  }

  private predicate(depth: number): string {
    const inner = this.oneOf([
      () => String(1 + this.below(3)),
      () => "last()",
      () => `position() ${this.oneOf(comparisons)} ${1 + this.below(3)}`,
      () => "last() - 1",
      () => `@${this.oneOf(attributeNames)}`,
      () => this.boolean(depth),
      () => this.nodes(depth),
      () => this.number(depth),
    ])();
    return `[${inner}]`;
  }

  private number(depth: number): string {
    if (depth <= 0) return this.oneOf(numbers);
    const next = () => this.number(depth - 1);
    return this.oneOf([
      () => this.oneOf(numbers),
      () => `count(${this.nodes(depth - 1)})`,
      () => `(sum(${this.nodes(depth - 1)}) + 0)`,
      () => `(${next()} ${this.oneOf(["+", "-", "*", "div", "mod"])} ${next()})`,
      () => `-${next()}`,
      () => `${this.oneOf(["floor", "ceiling", "round", "number"])}(${next()})`,
      () => `string-length(${this.string(depth - 1)})`,
      () => `number(${this.oneOf([this.string, this.boolean]).call(this, depth - 1)})`,
    ])();
  }

  private string(depth: number): string {
    if (depth <= 0) return `'${this.oneOf(texts)}'`;
    const next = () => this.string(depth - 1);
    return this.oneOf([
      next,
      () => `string(${this.any(depth - 1)})`,
      () => `concat(${next()}, ${this.any(depth - 1)})`,
      () => `${this.oneOf(["substring-before", "substring-after"])}(${next()}, ${next()})`,
      () => `substring(${next()}, ${this.oneOf(positions)}, ${this.oneOf(lengths)})`,
      () => `substring(${next()}, ${this.oneOf(positions)})`,
      () => `normalize-space(${this.any(depth - 1)})`,
      () => `translate(${this.any(depth - 1)}, 'ab1 ', 'Xb')`,
      () =>
        `${this.oneOf(["name", "local-name", "namespace-uri"])}((${this.nodes(depth - 1)})/${this.oneOf(["../*", "@*"])})`,
    ])();
  }

  private boolean(depth: number): string {
    if (depth <= 0) return this.oneOf(["true()", "false()"]);
    const next = () => this.boolean(depth - 1);
    return this.oneOf([
      () => `${this.any(depth - 1)} ${this.oneOf(["=", "!="])} ${this.any(depth - 1)}`,
      () => `${this.unlikeBoolean(depth - 1)} ${this.oneOf(comparisons)} ${this.unlikeBoolean(depth - 1)}`,
      () => `${next()} ${this.oneOf(comparisons)} ${this.string(depth - 1)}`,
      () => `(${next()} ${this.oneOf(["and", "or"])} ${next()})`,
      () => `not(${this.any(depth - 1)})`,
      () => `boolean(${this.any(depth - 1)})`,
      () =>
        `${this.oneOf(["contains", "starts-with"])}(${this.string(depth - 1)}, ${this.string(depth - 1)})`,
    ])();
  }

  private unlikeBoolean(depth: number): string {
    return this.oneOf([this.nodes, this.number, this.string]).call(this, depth);
  }

  private any(depth: number): string {
    return this.oneOf([this.nodes, this.number, this.string, this.boolean]).call(this, depth);
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  private oneOf<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const names = ["a", "b", "c"];
const attributeNames = ["x", "y"];
const targets = ["p", "q"];
const texts = ["1", "2", "-0.5", " 3 ", "a", "ab a", "  b\n 1 ", "1e3", "abc"];
const numbers = ["0", "1", "2", "3", "0.5", "1.5", "10", "-1", "(1 div 0)", "(0 div 0)"];
const positions = ["0", "1", "1.5", "2", "2.6", "-1", "count(//a)"];
const lengths = positions.filter((each) => each !== "-1");
const comparisons = ["=", "!=", "<", "<=", ">", ">="];
const axes = [
  "ancestor",
  "ancestor-or-self",
  "child",
  "descendant",
  "descendant-or-self",
  "following-sibling",
  "parent",
  "preceding-sibling",
  "self",
];
