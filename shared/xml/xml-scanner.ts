import { MalformedXml } from "./malformed-xml.ts";
import type { StartTag } from "./namespaces.ts";
import {
  declarationPattern,
  endOfDocumentType,
  endOfTag,
  hasTagAt,
  instructionPattern,
  isDeclarationBeginning,
} from "./xml-markup.ts";
import { expandReferences, parseStartTag, quoted } from "./xml-names.ts";

/** Receives the parts of a document, in order. */
export interface XmlEvents {
  /** Equal tags are the same object, except for long or rare tags. */
  open(tag: StartTag): void;
  close(): void;
  /** References are expanded. A text may be passed in several parts. */
  text(text: string): void;
}

/** A tag that is kept so that it is recognised when it occurs again. */
interface KeptTag {
  tag: StartTag;
  /** The tag as written, with `<` and `>`. */
  text: string;
  /** The end tag, without `</`. */
  end: string;
  /** The tag that followed the last time. The records of a repository repeat their tags in the same order. */
  next: KeptTag | undefined;
  /** The tag that followed the time before. For example, a creator is followed by another creator or by a subject. */
  nextBefore: KeptTag | undefined;
}

/** The largest number of kept tags. */
const maxKeptTags = 2000;
const maxKeptTagLength = 1000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const illegalCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const notSpace = /[^ \t\r\n]/;
/** Xerces' message for the most frequent case: an HTML page instead of XML. */
const malformedProlog = "The markup in the document preceding the root element must be well-formed.";

/**
 * Scans an XML 1.0 document in chunks of its text (without lone surrogates) and rejects text that is not well-formed.
 * The caller resolves namespaces. Document types are skipped, and only the five predefined entities are supported. The
 * scanner is twice as fast as a general parser, because it searches only for markup and parses equal tags only once.
 * @see https://www.w3.org/TR/xml/#sec-well-formed
 */
export class XmlScanner {
  /** The number of characters (UTF-16) up to the end of the current event's markup. */
  position = 0;
  private readonly events: XmlEvents;
  private readonly open: string[] = [];
  private readonly tags = new Map<string, KeptTag>();
  private lastTag: KeptTag | undefined;
  private readonly waiting: string[] = [];
  /** The text that the next chunk must contain before scanning can continue. */
  private awaited = "<";
  private text = "";
  private consumed = 0;
  /**
   * Set to false to skip the texts up to the next tag. Skipped texts are still checked, and some are passed on
   * nevertheless.
   */
  isTextWanted = true;
  /**
   * The positions in the text of the next `&` and the next `]]>`. After these positions, they must be searched for
   * again.
   */
  private nextReference = -1;
  private nextSectionEnd = -1;
  /** Whether the text has line ends that must be replaced. */
  private hasReturn = false;
  private hasRoot = false;
  private hasDocumentType = false;

  constructor(events: XmlEvents) {
    this.events = events;
  }

  /** @throws MalformedXml */
  write(chunk: string): void {
    if (illegalCharacter.test(chunk)) {
      const code = illegalCharacter.exec(chunk)?.[0].charCodeAt(0) ?? 0;
      throw new MalformedXml(
        `the character U+${code.toString(16).toUpperCase().padStart(4, "0")} is not allowed`,
      );
    }
    this.waiting.push(chunk);
    if (!chunk.includes(this.awaited)) return;
    this.text = this.waiting.join("");
    this.waiting.length = 0;
    this.nextReference = -1;
    this.nextSectionEnd = -1;
    this.hasReturn = this.text.includes("\r");
    const end = this.scan();
    this.waiting.push(this.text.slice(end));
    this.consumed += end;
    this.text = "";
  }

  /** @throws MalformedXml when the document is incomplete */
  end(): void {
    const rest = this.waiting.join("");
    const [last] = this.open.slice(-1);
    if (last !== undefined) throw new MalformedXml(`the document ends within <${last}>`);
    if (notSpace.test(rest)) {
      throw new MalformedXml(this.hasRoot ? "there is text after the root element" : malformedProlog);
    }
    if (!this.hasRoot) throw new MalformedXml("the document has no root element");
  }

  /** @returns the position of the first incomplete markup, or of the text before it */
  private scan(): number {
    const { text } = this;
    let at = 0;
    for (;;) {
      const start = text.indexOf("<", at);
      this.awaited = "<";
      if (start < 0) return at;
      if (start > at) this.readText(at, start);
      this.awaited = ">";
      const end = this.readMarkup(start);
      if (end < 0) return start;
      at = end;
    }
  }

  private readText(from: number, to: number): void {
    const { text } = this;
    if (this.open.length === 0) {
      if (!notSpace.test(text.slice(from, to))) return;
      throw new MalformedXml(this.hasRoot ? "there is text after the root element" : malformedProlog);
    }
    if (this.nextSectionEnd < from) this.nextSectionEnd = indexOrEnd(text, "]]>", from);
    if (this.nextSectionEnd < to) throw new MalformedXml("the text has ]]>");
    if (this.nextReference < from) this.nextReference = indexOrEnd(text, "&", from);
    const hasReference = this.nextReference < to;
    // References are checked even in skipped texts.
    if (!hasReference && !this.isTextWanted) return;
    const raw = this.hasReturn ? withLineFeeds(text.slice(from, to)) : text.slice(from, to);
    this.events.text(hasReference ? expandReferences(raw) : raw);
  }

  /** @returns the position after the markup; -1 when the markup is incomplete */
  private readMarkup(start: number): number {
    const { text } = this;
    switch (text.charCodeAt(start + 1)) {
      case slash:
        return this.readEndTag(start);
      case exclamation:
        return this.readDeclaration(start);
      case question:
        return this.readInstruction(start);
      default:
        return this.readStartTag(start);
    }
  }

  private readEndTag(start: number): number {
    const { text } = this;
    const name = this.open.at(-1);
    let end = start + 2 + (name?.length ?? 0);
    if (name === undefined || text.charCodeAt(end) !== greaterThan || !text.startsWith(name, start + 2)) {
      end = text.indexOf(">", start);
      if (end < 0) return -1;
      const given = text.slice(start + 2, end);
      if (name === undefined) throw new MalformedXml(`</${quoted(given)}> closes no element`);
      if (given.trimEnd() !== name) throw new MalformedXml(`<${name}> is closed by </${quoted(given)}>`);
    }
    this.open.pop();
    this.position = this.consumed + end + 1;
    this.events.close();
    return end + 1;
  }

  private readStartTag(start: number): number {
    const { text, lastTag } = this;
    let kept = lastTag?.next;
    if (kept === undefined || !hasTagAt(text, kept.text, start)) {
      kept = lastTag?.nextBefore;
      if (kept === undefined || !hasTagAt(text, kept.text, start)) kept = this.findTag(start);
      if (kept === undefined) return -1;
      if (lastTag !== undefined) {
        lastTag.nextBefore = lastTag.next;
        lastTag.next = kept;
      }
    }
    this.lastTag = kept;
    const { tag } = kept;
    if (this.open.length === 0) {
      if (this.hasRoot) throw new MalformedXml("there is a second root element");
      this.hasRoot = true;
    }
    const end = start + kept.text.length;
    this.position = this.consumed + end;
    this.events.open(tag);
    if (tag.isEmpty) {
      this.events.close();
      return end;
    }
    this.open.push(tag.name);
    return this.readLeaf(kept, end);
  }

  /**
   * Reads to the end of an element that contains no other elements, which is the most frequent case. @returns the
   * position to continue at
   */
  private readLeaf({ end: endTag }: KeptTag, from: number): number {
    const { text } = this;
    const to = text.indexOf("<", from);
    if (to < 0 || text.charCodeAt(to + 1) !== slash || !text.startsWith(endTag, to + 2)) return from;
    if (to > from) this.readText(from, to);
    this.open.pop();
    const end = to + 2 + endTag.length;
    this.position = this.consumed + end;
    this.events.close();
    return end;
  }

  /**
   * Returns the tag that begins here, either kept or newly parsed.
   * @returns undefined when the tag is incomplete
   */
  private findTag(start: number): KeptTag | undefined {
    const { text, tags } = this;
    const firstEnd = text.indexOf(">", start);
    if (firstEnd < 0) return undefined;
    const known = tags.get(text.slice(start, firstEnd + 1));
    if (known !== undefined) return known;
    const end = endOfTag(text, start);
    if (end < 0) return undefined;
    const whole = copyOf(text.slice(start, end + 1));
    const tag = parseStartTag(whole.slice(1, -1));
    const kept = { tag, text: whole, end: copyOf(`${tag.name}>`), next: undefined, nextBefore: undefined };
    if (whole.length <= maxKeptTagLength) {
      if (tags.size >= maxKeptTags) tags.clear();
      tags.set(whole, kept);
    }
    return kept;
  }

  /**
   * Reads a comment, a CDATA section, or the document type. @returns the position after it; -1 when it is incomplete
   */
  private readDeclaration(start: number): number {
    const { text } = this;
    const beginning = text.slice(start, start + 9);
    if (beginning.startsWith("<!--")) return this.readComment(start);
    if (beginning === "<![CDATA[" && this.open.length > 0) {
      const end = text.indexOf("]]>", start);
      if (end < 0) return -1;
      this.events.text(withLineFeeds(text.slice(start + 9, end)));
      return end + 3;
    }
    if (beginning === "<!DOCTYPE" && !this.hasRoot && !this.hasDocumentType) {
      if (/[^ \t\r\n]/.test(text.charAt(start + 9))) throw new MalformedXml(malformedProlog);
      const end = endOfDocumentType(text, start);
      this.hasDocumentType = end >= 0;
      return end;
    }
    if (beginning.length < 9 && isDeclarationBeginning(beginning)) return -1;
    throw new MalformedXml(this.hasRoot ? `the markup ${quoted(beginning)} is malformed` : malformedProlog);
  }

  private readComment(start: number): number {
    const end = this.text.indexOf("--", start + 4);
    if (end < 0 || end + 2 === this.text.length) return -1;
    if (this.text.charAt(end + 2) !== ">") throw new MalformedXml("a comment has --");
    return end + 3;
  }

  /** @see https://www.w3.org/TR/xml/#sec-pi */
  private readInstruction(start: number): number {
    const end = this.text.indexOf("?>", start + 2);
    if (end < 0) return -1;
    const content = this.text.slice(start + 2, end);
    const isValid =
      this.consumed + start === 0 && /^xml(?![\w:.-])/.test(content)
        ? declarationPattern.test(content)
        : instructionPattern.test(content);
    if (!isValid) {
      throw new MalformedXml(
        this.hasRoot ? `the instruction <?${quoted(content)}?> is malformed` : malformedProlog,
      );
    }
    return end + 2;
  }
}

const slash = 0x2f;
const exclamation = 0x21;
const question = 0x3f;
const greaterThan = 0x3e;

/** Copies a string, because a slice keeps the whole text in memory and is slow to compare. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

function indexOrEnd(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}

/** @see https://www.w3.org/TR/xml/#sec-line-ends */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}
