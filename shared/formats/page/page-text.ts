import { collapseSpace } from "../plain-text.ts";
import { decodePage } from "./decode-page.ts";
import { forEachElement } from "./elements.ts";
import { type Meta, readMeta } from "./page-parts.ts";

/** The content of a page as plain text, which people read beside the record that was made from the page. */
export interface PageText {
  /** The metadata of works, in page order: `citation_title`, `DC.creator`, JSON-LD as `json-ld`. */
  metadata: { name: string; content: string }[];
  /** The blocks of the main part, if the page marks one. Navigation, forms, headers and footers are omitted. */
  blocks: { kind: "heading" | "text"; text: string }[];
  /** Set when text was omitted because it is too long. */
  isShortened?: true;
}

/**
 * The total length of the blocks, which is about that of an article's landing page. A preview contains up to 20 pages.
 */
const maxBlockChars = 8_000;
const maxMetadata = 60;
const maxContentChars = 600;
/** JSON-LD has the complete article in one block. */
const maxJsonLdChars = 3_000;

const headings = new Set("h1 h2 h3 h4 h5 h6".split(" "));

/** Elements that cannot be part of a sentence. */
const blocks = new Set(
  "address article blockquote body br caption dd div dl dt figcaption figure hr li main ol p pre section table td th tr ul".split(
    " ",
  ),
);

/** Elements that belong to the site, or are not read. */
const skipped = new Set("button datalist dialog footer form header head nav select".split(" "));

/** Names of metadata about a work, rather than about the site or its display. */
const aboutWorks =
  /^(?:citation_|bepress_citation_|dc[.:]|dcterms[.:]|prism[.:]|eprints[.:]|article:|og:(?:title|description|type|url|site_name)$|author$|description$|keywords$)/;

/**
 * Returns the text of a page. It contains no tags, attributes or scripts, so it can be displayed safely as text.
 * @param bytes the decompressed body
 * @returns undefined when the body is not text or has no text to show
 */
export function readPageText(
  bytes: Uint8Array,
  given: { contentType?: string | undefined },
): PageText | undefined {
  const titled = readTitledText(bytes, given);
  if (titled === undefined || titled.blocks.length + titled.metadata.length === 0) return undefined;
  const { title: _title, ...found } = titled;
  return found;
}

/**
 * Returns the text of a page, and its title.
 * @returns undefined when the body is not text
 */
export function readTitledText(
  bytes: Uint8Array,
  { contentType }: { contentType?: string | undefined },
): (PageText & { title?: string }) | undefined {
  const decoded = decodePage(bytes, contentType);
  if (decoded.type === "no-text") return undefined;
  const collector = new TextCollector();
  forEachElement(
    decoded.text,
    ({ name, attributes, text }) => {
      if (name === "meta") for (const meta of readMeta({ name, attributes, text })) collector.addMeta(meta);
      else if (name === "script") collector.addScript(attributes, text);
      else if (name === "title") collector.setTitle(text);
      else collector.open(name);
    },
    { onEndTag: (name) => collector.close(name), onText: (text) => collector.addText(text) },
  );
  return collector.finish();
}

type Block = PageText["blocks"][number] & { isMain: boolean };

class TextCollector {
  private readonly metadata: PageText["metadata"] = [];
  private readonly blocks: Block[] = [];
  private isShortened = false;
  private text = "";
  private title: string | undefined;
  private heading: string | undefined;
  private main = 0;
  /** The open elements that are skipped. */
  private readonly skipping: string[] = [];

  open(name: string): void {
    if (skipped.has(name)) this.skipping.push(name);
    // A page may omit the end tag of its head.
    if (name === "body") this.skipping.length = 0;
    if (!blocks.has(name) && !headings.has(name)) return;
    this.end();
    if (name === "main") this.main++;
    if (headings.has(name)) this.heading = name;
  }

  close(name: string): void {
    const at = this.skipping.lastIndexOf(name);
    if (at >= 0) this.skipping.length = at;
    if (!blocks.has(name) && !headings.has(name)) return;
    this.end();
    if (name === "main") this.main = Math.max(0, this.main - 1);
    if (headings.has(name)) this.heading = undefined;
  }

  addText(text: string): void {
    // Longer text is omitted anyway, and a page without blocks is one long text.
    if (this.skipping.length === 0 && this.text.length < 2 * maxBlockChars) this.text += text;
  }

  /** The first title counts, because an SVG in the page may have others. */
  setTitle(text: string): void {
    this.title ??= collapseSpace(text).slice(0, maxContentChars).toWellFormed();
  }

  addMeta({ name, content }: Meta): void {
    if (!aboutWorks.test(name)) return;
    this.add({ name, content }, maxContentChars);
  }

  addScript(attributes: readonly { name: string; value: string }[], text: string): void {
    const type = attributes.find(({ name }) => name === "type")?.value.trim() ?? "";
    if (/^application\/ld\+json\b/i.test(type)) this.add({ name: "json-ld", content: text }, maxJsonLdChars);
  }

  finish(): PageText & { title?: string } {
    this.end();
    const main = this.blocks.filter(({ isMain }) => isMain);
    let left = maxBlockChars;
    const shown: PageText["blocks"] = [];
    for (const { kind, text } of main.length > 0 ? main : this.blocks) {
      if (left <= 0) this.isShortened = true;
      else shown.push({ kind, text: this.shorten(text, left) });
      left -= text.length;
    }
    return {
      ...(this.title !== undefined && this.title !== "" && { title: this.title }),
      metadata: this.metadata,
      blocks: shown,
      ...(this.isShortened && { isShortened: true as const }),
    };
  }

  private add({ name, content }: PageText["metadata"][number], maxChars: number): void {
    if (this.metadata.length >= maxMetadata) this.isShortened = true;
    else this.metadata.push({ name, content: this.shorten(collapseSpace(content), maxChars) });
  }

  private end(): void {
    const text = collapseSpace(this.text);
    this.text = "";
    if (text === "") return;
    const kind = this.heading === undefined ? "text" : "heading";
    this.blocks.push({ kind, text, isMain: this.main > 0 });
  }

  private shorten(text: string, limit: number): string {
    if (text.length <= limit) return text;
    this.isShortened = true;
    return `${text.slice(0, limit).toWellFormed()} …`;
  }
}
