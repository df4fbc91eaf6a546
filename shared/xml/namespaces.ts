/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#XMLResponse */
export const oaiNamespace = "http://www.openarchives.org/OAI/2.0/";

export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** The namespaces in force at a place of a document. */
export interface NamespaceScope {
  /** By prefix, `""` for the default, as declared here and further out. */
  readonly namespaces: ReadonlyMap<string, string>;
}

export interface ElementName {
  /** `""` for an element without a namespace. */
  namespace: string;
  local: string;
}

/** A start tag, or an empty-element tag. */
export interface StartTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isEmpty: boolean;
  /** Where it came last. */
  resolved: ResolvedTag | undefined;
}

/** A start tag at a place of a document. */
export interface ResolvedTag {
  readonly outer: NamespaceScope;
  /** The scope of its content: the outer one unless the tag declares a namespace. */
  readonly scope: NamespaceScope;
  /** Undefined when the prefix is not declared. */
  readonly element: ElementName | undefined;
  /** Whether a reader wants the text of such elements; undefined until it has decided. */
  isWanted: boolean | undefined;
}

export const outermostScope: NamespaceScope = { namespaces: new Map([["xml", xmlNamespace]]) };

/** Gives a tag its meaning within a scope. It is kept in the tag, as equal tags mostly come in the same scope. */
export function resolveTag(tag: StartTag, outer: NamespaceScope): ResolvedTag {
  if (tag.resolved?.outer === outer) return tag.resolved;
  const scope = scopeWithin(outer, tag.attributes);
  tag.resolved = { outer, scope, element: resolveName(scope, tag.name), isWanted: undefined };
  return tag.resolved;
}

function scopeWithin(outer: NamespaceScope, attributes: StartTag["attributes"]): NamespaceScope {
  let namespaces: Map<string, string> | undefined;
  for (const name in attributes) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    namespaces ??= new Map(outer.namespaces);
    namespaces.set(name.slice(6), attributes[name] ?? "");
  }
  return namespaces === undefined ? outer : { namespaces };
}

function resolveName({ namespaces }: NamespaceScope, name: string): ElementName | undefined {
  const colon = name.indexOf(":");
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  const namespace = namespaces.get(prefix) ?? (prefix === "" ? "" : undefined);
  return namespace === undefined ? undefined : { namespace, local: name.slice(colon + 1) };
}
