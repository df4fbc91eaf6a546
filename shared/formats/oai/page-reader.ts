import { MalformedXml } from "../../xml/malformed-xml.ts";
import {
  type ElementName,
  type NamespaceScope,
  oaiNamespace,
  outermostScope,
  type ResolvedTag,
  resolveTag,
  type StartTag,
} from "../../xml/namespaces.ts";
import { XmlScanner } from "../../xml/xml-scanner.ts";
import { MetadataText } from "./metadata-text.ts";
import { type OaiPage, type OaiRecord, type OaiVerb, oaiVerbs } from "./page.ts";

/** The parts of a record that are read in addition to its header. */
export interface MetadataWish {
  /** Whether the metadata are returned as a standalone XML document. */
  asXml?: boolean;
  /** Selects the elements whose texts are read; no texts are read when absent. */
  values?: (name: ElementName) => boolean;
}

/** The error for a root element that is not `OAI-PMH` in its namespace. `root` describes the root element. */
export class NotOaiPmh extends Error {
  readonly root: string;
  constructor(root: string) {
    super(`the root element is ${root}`);
    this.root = root;
  }
}

/** Metadata formats are nested about 20 levels deep. */
const maxDepth = 256;

/** Elements outside metadata that are nested more deeply are not needed. */
const deepestEnvelope = 5;

/**
 * Reads the response to an OAI-PMH request from chunks of its text. Elements are recognised by namespace, not by prefix.
 * Only the five predefined entities of XML are expanded.
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#XMLResponse
 */
export class OaiPageReader {
  readonly page: OaiPage = { errors: [], records: [], sets: [], formats: [] };
  private readonly scanner: XmlScanner;
  private readonly wish: MetadataWish;
  private readonly anyRoot: boolean;
  private readonly xml: MetadataText | undefined;
  /** The local names of the open elements, except those inside `metadata` and `about`. */
  private readonly path: string[] = [];
  private readonly scopes: NamespaceScope[] = [outermostScope];
  /** Number of open elements inside `metadata` or `about`. */
  private foreignDepth = 0;
  private text = "";
  /** The element inside `metadata` whose text is being read. */
  private valueName: ElementName | undefined;
  private attributes: Readonly<Record<string, string>> = {};
  private record: OaiRecord | undefined;
  private fields: Map<string, string[]> = new Map();

  /** @param options.anyRoot accepts any root element, to check only whether a document is well-formed */
  constructor(wish: MetadataWish = {}, { anyRoot = false } = {}) {
    this.wish = wish;
    this.anyRoot = anyRoot;
    this.xml = wish.asXml ? new MetadataText() : undefined;
    this.scanner = new XmlScanner({
      open: (tag) => this.open(tag),
      close: () => this.close(),
      text: (text) => {
        this.text += text;
      },
    });
  }

  /** @throws MalformedXml, NotOaiPmh */
  write(chunk: string): void {
    this.xml?.add(chunk);
    this.scanner.write(chunk);
    this.xml?.forget();
  }

  /** @throws MalformedXml when the text is truncated */
  end(): OaiPage {
    this.scanner.end();
    return this.page;
  }

  private open(tag: StartTag): void {
    const outer = this.scopes.at(-1) ?? outermostScope;
    const resolved = resolveTag(tag, outer);
    const { scope, element } = resolved;
    if (this.scopes.push(scope) > maxDepth) {
      throw new MalformedXml(`elements are nested more than ${maxDepth} deep`);
    }
    if (element === undefined) throw new MalformedXml(`the prefix of ${tag.name} is not declared`);
    this.text = "";
    if (this.foreignDepth > 0 || this.isWithin("metadata") || this.isWithin("about")) {
      this.openForeign(resolved, element);
    } else this.openEnvelope(element, tag);
    this.scanner.isTextWanted = this.foreignDepth === 0 || this.valueName !== undefined;
  }

  private openForeign(tag: ResolvedTag, element: ElementName): void {
    this.foreignDepth += 1;
    this.valueName = undefined;
    if (!this.isWithin("metadata")) return;
    if (this.foreignDepth === 1) this.xml?.begin(this.scanner.position, tag.outer);
    tag.isWanted ??= this.wish.values?.(element) ?? false;
    if (tag.isWanted) this.valueName = element;
  }

  private openEnvelope({ namespace, local }: ElementName, { name, attributes }: StartTag): void {
    const { path } = this;
    const isRoot = path.length === 0;
    if (isRoot && !this.anyRoot && (namespace !== oaiNamespace || local !== "OAI-PMH"))
      throw new NotOaiPmh(local === "OAI-PMH" ? `${name} in ${namespace || "no namespace"}` : name);
    // Descriptions of repositories and sets contain elements of other namespaces.
    path.push(namespace === oaiNamespace && path.length < deepestEnvelope ? local : "");
    this.attributes = attributes;
    if (path.length === 2 && isVerb(local)) this.page.verb = local;
    if (local === "header" && (path.length === 3 || path.length === 4)) {
      this.record = {
        identifier: "",
        datestamp: "",
        sets: [],
        isDeleted: attributes.status?.trim() === "deleted",
        values: [],
      };
    }
    if (path.length === 3 && (local === "set" || local === "metadataFormat")) this.fields = new Map();
  }

  private close(): void {
    this.scopes.pop();
    if (this.foreignDepth > 0) this.closeForeign();
    else this.closeEnvelope();
    this.text = "";
    // No element has both its own text and elements before that text.
    this.scanner.isTextWanted = false;
  }

  private closeForeign(): void {
    this.foreignDepth -= 1;
    const { record, valueName } = this;
    // The object is copied, because V8 would place object literals among long-lived objects, where they would keep the
    // texts of read pages in memory.
    if (valueName !== undefined) record?.values.push({ ...valueName, text: this.text });
    this.valueName = undefined;
    if (this.foreignDepth > 0 || record === undefined || !this.isWithin("metadata")) return;
    const metadata = this.xml?.end(this.scanner.position);
    if (metadata !== undefined) record.metadata ??= metadata;
  }

  private closeEnvelope(): void {
    const { path, page } = this;
    const name = path.pop() ?? "";
    const parent = path.at(-1);
    const text = this.text.trim();
    if (path.length === 1) {
      if (name === "responseDate") page.responseDate = text;
      if (name === "error") page.errors.push({ code: this.attributes.code?.trim() ?? "", message: text });
      if (name === "Identify") this.closeIdentify();
    } else if (parent === "header") this.closeHeaderField(name, text);
    else if (path.length === 2) this.closeListEntry(name, text);
    else if (path.length === 3 && (parent === "set" || parent === "metadataFormat")) this.note(name, text);
  }

  private closeHeaderField(name: string, text: string): void {
    if (this.record === undefined) return;
    if (name === "identifier") this.record.identifier = text;
    else if (name === "datestamp") this.record.datestamp = text;
    else if (name === "setSpec") this.record.sets.push(text);
  }

  /** Called at the end of a child of the verb element. */
  private closeListEntry(name: string, text: string): void {
    const { page, record } = this;
    const field = (of: string) => this.fields.get(of)?.[0] ?? "";
    if (name === "record" || name === "header") {
      if (record !== undefined) page.records.push(record);
      this.record = undefined;
    } else if (name === "resumptionToken") this.closeToken(text);
    else if (name === "set") page.sets.push({ spec: field("setSpec"), name: field("setName") });
    else if (name === "metadataFormat") {
      page.formats.push({
        prefix: field("metadataPrefix"),
        schema: field("schema"),
        namespace: field("metadataNamespace"),
      });
    } else if (page.verb === "Identify") this.note(name, text);
  }

  private closeToken(value: string): void {
    const { completeListSize, cursor, expirationDate } = this.attributes;
    const size = wholeNumber(completeListSize);
    const from = wholeNumber(cursor);
    this.page.resumptionToken = {
      value,
      ...(size !== undefined && { completeListSize: size }),
      ...(from !== undefined && { cursor: from }),
      ...(expirationDate !== undefined && { expirationDate }),
    };
  }

  private closeIdentify(): void {
    const all = (name: string) => this.fields.get(name) ?? [];
    const one = (name: string) => all(name)[0] ?? "";
    this.page.identity = {
      repositoryName: one("repositoryName"),
      baseUrl: one("baseURL"),
      protocolVersion: one("protocolVersion"),
      adminEmails: all("adminEmail"),
      earliestDatestamp: one("earliestDatestamp"),
      deletedRecord: one("deletedRecord"),
      granularity: one("granularity"),
      compressions: all("compression"),
    };
  }

  private note(name: string, text: string): void {
    const texts = this.fields.get(name);
    if (texts === undefined) this.fields.set(name, [text]);
    else texts.push(text);
  }

  private isWithin(name: string): boolean {
    return this.path.length === 4 && this.path[3] === name;
  }
}

function isVerb(name: string): name is OaiVerb {
  return (oaiVerbs as readonly string[]).includes(name);
}

function wholeNumber(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? "";
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
}
