/** The element names of MARCXML, as they are written where the reader stands. */
export const marcXmlNamespace = "http://www.loc.gov/MARC21/slim";

export type ElementKind =
  | "collection"
  | "record"
  | "leader"
  | "controlfield"
  | "datafield"
  | "subfield"
  | "other";

const localNames = new Set<string>([
  "collection",
  "record",
  "leader",
  "controlfield",
  "datafield",
  "subfield",
]);

interface NamespaceScope {
  /** Depth of the element that declares it; the root has depth 1. */
  depth: number;
  /** Prefix (empty for the default) → namespace. */
  namespaces: ReadonlyMap<string, string>;
  /** Every name met within the scope. */
  kinds: Map<string, ElementKind>;
  outer: NamespaceScope | undefined;
}

/**
 * Tells by their namespace which elements are MARCXML's. The parser is run without namespaces, which makes it half as fast
 * again; a document declares them once or twice and uses a handful of names, so a table per declaration is all it takes.
 * @see https://www.w3.org/TR/xml-names/
 */
export class MarcXmlNames {
  private scope: NamespaceScope = {
    depth: 0,
    namespaces: new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]),
    kinds: new Map(),
    outer: undefined,
  };

  /** What an element declares counts for the element itself and all within. */
  declare(depth: number, declared: [prefix: string, namespace: string][]): void {
    const namespaces = new Map([...this.scope.namespaces, ...declared]);
    this.scope = { depth, namespaces, kinds: new Map(), outer: this.scope };
  }

  /** Ends what the element of that depth declared. */
  leave(depth: number): void {
    if (this.scope.depth === depth && this.scope.outer !== undefined) this.scope = this.scope.outer;
  }

  /** @throws {SyntaxError} when the name's prefix is not declared */
  kindOf(name: string): ElementKind {
    const { kinds } = this.scope;
    let kind = kinds.get(name);
    if (kind === undefined) {
      kind = this.resolve(name);
      kinds.set(name, kind);
    }
    return kind;
  }

  private resolve(name: string): ElementKind {
    const colon = name.indexOf(":");
    const namespace = this.scope.namespaces.get(name.slice(0, Math.max(colon, 0)));
    if (namespace === undefined && colon !== -1)
      throw new SyntaxError(`the prefix of <${name}> is not declared`);
    const local = name.slice(colon + 1);
    return namespace === marcXmlNamespace && localNames.has(local) ? (local as ElementKind) : "other";
  }
}
