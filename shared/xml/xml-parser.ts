import { SaxesParser } from "saxes";
import { MalformedXml } from "./malformed-xml.ts";

/** Names keep their prefixes, as written. */
type PlainNames = { position: boolean; xmlns: false };

export interface XmlTag {
  /** The name as written, with its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Receives the parts of a document, in order. References are expanded. */
export interface XmlHandlers {
  /** @param encoding the encoding that the XML declaration names */
  declaration?(encoding: string | undefined): void;
  /** Called before the attribute's tag. */
  attribute?(attribute: { name: string; value: string }): void;
  open?(tag: XmlTag): void;
  /** Called for text and CDATA sections. A text may be passed in several parts. */
  text?(text: string): void;
  close?(tag: XmlTag): void;
  comment?(text: string): void;
  instruction?(instruction: { target: string; body: string }): void;
}

/**
 * Parses a well-formed XML 1.0 document in chunks of its text, and reports the places of its parts. The caller resolves
 * namespaces. Document types are skipped, and only the five predefined entities are supported. `XmlScanner` is twice as
 * fast, but reports neither lines nor comments.
 * @see https://www.w3.org/TR/xml/
 */
export class XmlParser {
  private readonly parser: SaxesParser<PlainNames>;

  /** @param options.hasColumns whether columns and positions are counted, and problems begin with line and column */
  constructor(handlers: XmlHandlers, { hasColumns = true } = {}) {
    const parser = new SaxesParser<PlainNames>({ position: hasColumns, xmlns: false });
    this.parser = parser;
    const { declaration, attribute, open, text, close, comment, instruction } = handlers;
    if (declaration) parser.on("xmldecl", ({ encoding }) => declaration(encoding));
    if (attribute) parser.on("attribute", attribute);
    if (open) parser.on("opentag", open);
    if (text) {
      parser.on("text", text);
      parser.on("cdata", text);
    }
    if (close) parser.on("closetag", close);
    if (comment) parser.on("comment", comment);
    if (instruction) parser.on("processinginstruction", instruction);
    parser.on("error", ({ message }) => {
      throw new MalformedXml(message);
    });
  }

  /** From 1. */
  get line(): number {
    return this.parser.line;
  }

  /** The column of the last character that was read, from 1. */
  get column(): number {
    return this.parser.column;
  }

  /** The number of characters (UTF-16) that were read. */
  get position(): number {
    return this.parser.position;
  }

  /** @throws MalformedXml, and errors of the handlers */
  write(text: string): void {
    this.parser.write(text);
  }

  /** @throws MalformedXml when the document is incomplete */
  close(): void {
    this.parser.close();
  }

  /** Ends parsing with a problem that the caller has found, at the current place. @throws MalformedXml */
  fail(problem: string): void {
    this.parser.fail(problem);
  }
}
