import { MalformedXml } from "./malformed-xml.ts";

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#XMLResponse */
export const oaiNamespace = "http://www.openarchives.org/OAI/2.0/";

export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** The most characters of prefixes and namespaces that are declared at a place and around it. Documents have some 1,000. */
const maxNamespaceChars = 16_384;

/** What a declaration counts at least. */
const leastNamespaceChars = 64;

/** The namespaces in force at a place of a document. */
export interface NamespaceScope {
  /** By prefix, `""` for the default, as declared by the innermost element that declares one. */
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: NamespaceScope | undefined;
  /** The characters of the declarations here and further out. */
  readonly chars: number;
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

export const outermostScope: NamespaceScope = {
  declared: new Map([["xml", xmlNamespace]]),
  outer: undefined,
  chars: 0,
};

/** All namespaces in force, by prefix. */
export function namespacesIn(scope: NamespaceScope): Map<string, string> {
  const namespaces = scope.outer === undefined ? new Map<string, string>() : namespacesIn(scope.outer);
  for (const [prefix, namespace] of scope.declared) namespaces.set(prefix, namespace);
  return namespaces;
}

/**
 * Gives a tag its meaning within a scope. It is kept in the tag, as equal tags mostly come in the same scope.
 * @throws MalformedXml when too many namespaces are declared within each other
 */
export function resolveTag(tag: StartTag, outer: NamespaceScope): ResolvedTag {
  if (tag.resolved?.outer === outer) return tag.resolved;
  const scope = scopeWithin(outer, tag.attributes);
  tag.resolved = { outer, scope, element: resolveName(scope, tag.name), isWanted: undefined };
  return tag.resolved;
}

function scopeWithin(outer: NamespaceScope, attributes: StartTag["attributes"]): NamespaceScope {
  const declared = declaredNamespaces(attributes);
  if (declared === undefined) return outer;
  let { chars } = outer;
  for (const [prefix, namespace] of declared)
    chars += Math.max(prefix.length + namespace.length, leastNamespaceChars);
  if (chars > maxNamespaceChars)
    throw new MalformedXml(`the namespaces in force have more than ${maxNamespaceChars} characters`);
  return { declared, outer, chars };
}

function resolveName(scope: NamespaceScope, name: string): ElementName | undefined {
  const colon = name.indexOf(":");
  const prefix = colon < 0 ? "" : name.slice(0, colon);
  const namespace = namespaceOf(scope, prefix) ?? (prefix === "" ? "" : undefined);
  return namespace === undefined ? undefined : { namespace, local: name.slice(colon + 1) };
}

function namespaceOf(innermost: NamespaceScope, prefix: string): string | undefined {
  for (let scope: NamespaceScope | undefined = innermost; scope !== undefined; scope = scope.outer) {
    const namespace = scope.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

/** The prefix that an attribute declares, empty for the default namespace; undefined for other attributes. */
export function declaredPrefix(attribute: string): string | undefined {
  if (attribute === "xmlns") return "";
  return attribute.startsWith("xmlns:") ? attribute.slice("xmlns:".length) : undefined;
}

/** The namespaces that attributes declare, by prefix; undefined when they declare none. */
export function declaredNamespaces(
  attributes: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> | undefined {
  let declared: Map<string, string> | undefined;
  for (const name in attributes) {
    const prefix = declaredPrefix(name);
    if (prefix === undefined) continue;
    declared ??= new Map();
    declared.set(prefix, attributes[name] ?? "");
  }
  return declared;
}
