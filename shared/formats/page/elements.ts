import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from "parse5";

/** A start tag. For elements whose text is requested, the text is included. */
export interface PageElement {
  name: string;
  attributes: readonly { name: string; value: string }[];
  text: string;
  /** The location of the tag and its attributes, if requested. */
  location?: Token.LocationWithAttributes;
}

/**
 * Tokenizer modes of elements whose content is not markup. The content of `noscript` is markup, because scripts are
 * off.
 */
const textModes = new Map<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["style", TokenizerMode.RAWTEXT],
  ["xmp", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["noembed", TokenizerMode.RAWTEXT],
  ["noframes", TokenizerMode.RAWTEXT],
  ["plaintext", TokenizerMode.PLAINTEXT],
]);

/** Options that determine the visited elements. */
interface ElementOptions {
  /** The elements whose text is read, which must not contain markup. `title` and `script` by default. */
  withText?: readonly string[];
  /** Also visits elements in `template`, SVG and MathML. */
  includeForeign?: boolean;
  /** Also returns the location of each element, which takes more time. */
  withLocations?: boolean;
  /** Called for each end tag outside `template`, SVG and MathML, even if it does not match a start tag. */
  onEndTag?: (name: string) => void;
  /**
   * Called for text outside `template`, SVG and MathML, except for the text of elements whose content is not markup.
   */
  onText?: (text: string) => void;
}

const metadataElements = ["title", "script"];

/** HTML elements that end an unclosed SVG or MathML element. */
const endsForeignContent = new Set(["body", "div", "head", "meta", "p", "span", "table", "ul"]);

/**
 * Visits every element of a page in order. No tree is built, so wrongly nested markup causes no problems, and the time
 * is linear. The contents of `template`, SVG and MathML are skipped unless requested.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#tokenization
 */
export function forEachElement(
  page: string,
  visit: (element: PageElement) => void,
  options: ElementOptions = {},
): void {
  new ElementScanner(visit, options).scan(page);
}

/** @param name in lower case */
export function attributeOf(element: PageElement, name: string): string | undefined {
  return element.attributes.find((attribute) => attribute.name === name)?.value;
}

/** Decides whether an attribute (`class`, `rel`) contains a word, ignoring case. */
export function hasWord(element: PageElement, attribute: string, word: string): boolean {
  const words = attributeOf(element, attribute)?.toLowerCase().split(/\s+/);
  return words?.includes(word.toLowerCase()) ?? false;
}

class ElementScanner implements TokenHandler {
  private readonly tokenizer: Tokenizer;
  private readonly visit: (element: PageElement) => void;
  private readonly withText: ReadonlySet<string>;
  private readonly includeForeign: boolean;
  private readonly options: ElementOptions;
  private isInTextElement = false;
  private pending: PageElement | undefined;
  private templates = 0;
  private foreign = 0;

  constructor(visit: (element: PageElement) => void, options: ElementOptions) {
    this.tokenizer = new Tokenizer({ sourceCodeLocationInfo: options.withLocations ?? false }, this);
    this.visit = visit;
    this.withText = new Set(options.withText ?? metadataElements);
    this.includeForeign = options.includeForeign ?? false;
    this.options = options;
  }

  scan(page: string): void {
    this.tokenizer.write(page, true);
  }

  onStartTag({ tagName, attrs, selfClosing, location }: Token.TagToken): void {
    const element = { name: tagName, attributes: attrs, text: "", ...(location && { location }) };
    if (tagName === "template") this.templates++;
    if (endsForeignContent.has(tagName)) this.foreign = 0;
    if ((tagName === "svg" || tagName === "math") && !selfClosing) this.foreign++;
    this.markForeign();
    if (this.foreign > 0) {
      if (this.includeForeign) this.open(element);
      return;
    }
    const mode = textModes.get(tagName);
    if (mode !== undefined) this.tokenizer.state = mode;
    this.isInTextElement = mode !== undefined;
    if (this.templates > 0 && !this.includeForeign) return;
    this.open(element);
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (tagName === "template") this.templates = Math.max(0, this.templates - 1);
    if (tagName === "svg" || tagName === "math") this.foreign = Math.max(0, this.foreign - 1);
    this.markForeign();
    this.isInTextElement = false;
    this.finishPending();
    if (this.isVisible) this.options.onEndTag?.(tagName);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.pending !== undefined) this.pending.text += chars;
    else if (this.isVisible && !this.isInTextElement) this.options.onText?.(chars);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onEof(): void {
    this.finishPending();
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}

  private open(element: PageElement): void {
    if (this.withText.has(element.name)) this.pending = element;
    else this.visit(element);
  }

  private get isVisible(): boolean {
    return this.templates === 0 && this.foreign === 0;
  }

  private markForeign(): void {
    this.tokenizer.inForeignNode = this.foreign > 0;
  }

  private finishPending(): void {
    if (this.pending !== undefined) this.visit(this.pending);
    this.pending = undefined;
  }
}
