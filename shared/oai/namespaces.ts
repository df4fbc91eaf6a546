/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#XMLResponse */
export const oaiNamespace = "http://www.openarchives.org/OAI/2.0/";

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** The namespaces in force at a place of a document. */
export interface NamespaceScope {
  /** By prefix, `""` for the default, as declared here and further out. */
  readonly namespaces: ReadonlyMap<string, string>;
  /** Names that were resolved here. */
  readonly resolved: Map<string, ElementName | undefined>;
}

export interface ElementName {
  /** `""` for an element without a namespace. */
  namespace: string;
  local: string;
}

export const outermostScope: NamespaceScope = {
  namespaces: new Map([["xml", xmlNamespace]]),
  resolved: new Map(),
};

/** The scope within a tag: the outer one unless the tag declares a namespace. */
export function scopeWithin(
  outer: NamespaceScope,
  attributes: Readonly<Record<string, string>>,
): NamespaceScope {
  let namespaces: Map<string, string> | undefined;
  for (const name in attributes) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    namespaces ??= new Map(outer.namespaces);
    namespaces.set(name.slice(6), attributes[name] ?? "");
  }
  return namespaces === undefined ? outer : { namespaces, resolved: new Map() };
}

/** Undefined when the prefix is not declared. */
export function resolveName(scope: NamespaceScope, name: string): ElementName | undefined {
  if (scope.resolved.has(name)) return scope.resolved.get(name);
  const colon = name.indexOf(":");
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  const namespace = scope.namespaces.get(prefix) ?? (prefix === "" ? "" : undefined);
  const resolved = namespace === undefined ? undefined : { namespace, local: name.slice(colon + 1) };
  scope.resolved.set(name, resolved);
  return resolved;
}
