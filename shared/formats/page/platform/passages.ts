import { maxCreators, maxTextChars } from "../../limits.ts";
import { plainText } from "../../plain-text.ts";
import { attributeOf, forEachElement, type PageElement } from "../elements.ts";

/** An element, prepared so that many selectors can test it quickly. */
interface ShownElement {
  name: string;
  /** In lower case. */
  classes: ReadonlySet<string>;
  attribute(name: string): string | undefined;
}

/**
 * Selectors of the elements whose text is needed, by names that the platform chooses. The second argument contains the
 * names of the passages around the element. The text of a script is its content.
 */
export type PassageSelectors = Readonly<
  Record<string, (element: ShownElement, within: ReadonlySet<string>) => boolean>
>;

/** Returns the plain texts of the passages with a name, in page order. */
export type Passages = (name: string) => string[];

/** Elements that end an unclosed `p`. */
const endsParagraph = new Set(
  "p div section article ul ol dl table h1 h2 h3 h4 h5 h6 header footer".split(" "),
);

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

interface OpenPassage {
  element: string;
  /** The number of open elements with that name. */
  depth: number;
  html: string;
}

/**
 * Collects the visible text of some elements. No tree is built, so a passage ends with the end tag that balances its
 * start tag.
 */
export function collectPassages(page: string, selectors: PassageSelectors): Passages {
  const wanted = Object.entries(selectors);
  const found = new Map<string, string[]>();
  const open = new Map<string, OpenPassage>();
  let within: ReadonlySet<string> = new Set();
  const add = (name: string, text: string | undefined) => {
    const texts = found.get(name) ?? [];
    found.set(name, texts);
    if (text !== undefined) texts.push(text);
  };
  const isFull = (name: string) => (found.get(name)?.length ?? 0) >= maxCreators;
  const openPassage = (name: string, passage: OpenPassage) => {
    open.set(name, passage);
    within = new Set(open.keys());
  };
  const close = (name: string, { html }: OpenPassage) => {
    open.delete(name);
    within = new Set(open.keys());
    add(name, plainText(html));
  };
  const append = (passage: OpenPassage, html: string) => {
    if (passage.html.length < maxTextChars) passage.html += html;
  };
  const onStartTag = (element: PageElement) => {
    for (const [name, passage] of open) {
      if (passage.element === "p" && endsParagraph.has(element.name)) close(name, passage);
      else if (passage.element === element.name) passage.depth += 1;
      append(passage, `<${element.name}>`);
    }
    const shown = describe(element);
    for (const [name, isWanted] of wanted) {
      if (within.has(name) || !isWanted(shown, within) || isFull(name)) continue;
      if (element.name === "script") add(name, element.text);
      else openPassage(name, { element: element.name, depth: 1, html: "" });
    }
  };
  const onEndTag = (tag: string) => {
    for (const [name, passage] of open) {
      append(passage, `</${tag}>`);
      if (passage.element === tag) passage.depth -= 1;
      if (passage.depth === 0) close(name, passage);
    }
  };
  const onText = (text: string) => {
    if (open.size === 0) return;
    const html = text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
    for (const passage of open.values()) append(passage, html);
  };
  forEachElement(page, onStartTag, { onEndTag, onText });
  for (const [name, passage] of open) close(name, passage);
  return (name) => found.get(name) ?? [];
}

const noClasses: ReadonlySet<string> = new Set();

function describe(element: PageElement): ShownElement {
  const words = attributeOf(element, "class");
  const classes = words === undefined ? noClasses : new Set(words.toLowerCase().split(/\s+/));
  return { name: element.name, classes, attribute: (name) => attributeOf(element, name) };
}

/** Selects elements that have any of these classes, which are given in lower case. */
export function hasClass(...names: string[]): (element: ShownElement) => boolean {
  return ({ classes }) => classes.size > 0 && names.some((name) => classes.has(name));
}
