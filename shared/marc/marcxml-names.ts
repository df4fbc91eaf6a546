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
  /** Names that were resolved in this scope. */
  kinds: Map<string, ElementKind>;
  outer: NamespaceScope | undefined;
}

/**
 * Decides by namespace which elements belong to MARCXML. The parser runs without namespaces, which is half as fast again.
 * A document has few declarations and few names, so a table per declaration is enough.
 * @see https://www.w3.org/TR/xml-names/
 */
export class MarcXmlNames {
  private scope: NamespaceScope = {
    depth: 0,
    namespaces: new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]),
    kinds: new Map(),
    outer: undefined,
  };

  /** A declaration holds for its element and all elements within. */
  declare(depth: number, declared: [prefix: string, namespace: string][]): void {
    const namespaces = new Map([...this.scope.namespaces, ...declared]);
    this.scope = { depth, namespaces, kinds: new Map(), outer: this.scope };
  }

  /** Ends the declarations of the element at that depth. */
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
