import { MalformedXml } from "./malformed-xml.ts";

/** @see https://www.openarchives.org/OAI/openarchivesprotocol.html#XMLResponse */
export const oaiNamespace = "http://www.openarchives.org/OAI/2.0/";

export const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/**
 * The largest number of characters of all prefixes and namespaces in force at any place of a document. Typical
 * documents have about 1,000.
 */
const maxNamespaceChars = 16_384;

/** The smallest number of characters that a declaration counts. */
const leastNamespaceChars = 64;

/** The namespaces in force at a place of a document. */
export interface NamespaceScope {
  /** The namespaces that the innermost declaring element declares, by prefix (`""` for the default). */
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: NamespaceScope | undefined;
  /** The number of characters of the declarations of this scope and all outer scopes. */
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
  /** The result of the last call of `resolveTag`. */
  resolved: ResolvedTag | undefined;
}

/** A start tag at a place of a document. */
export interface ResolvedTag {
  readonly outer: NamespaceScope;
  /** The scope of the element's content: the outer scope, unless the tag declares a namespace. */
  readonly scope: NamespaceScope;
  /** Undefined when the prefix is not declared. */
  readonly element: ElementName | undefined;
  /** Whether a reader needs the text of such elements; undefined until the reader has decided. */
  isWanted: boolean | undefined;
}

export const outermostScope: NamespaceScope = {
  declared: new Map([["xml", xmlNamespace]]),
  outer: undefined,
  chars: 0,
};

/** Returns all namespaces in force, by prefix. */
export function namespacesIn(scope: NamespaceScope): Map<string, string> {
  const namespaces = scope.outer === undefined ? new Map<string, string>() : namespacesIn(scope.outer);
  for (const [prefix, namespace] of scope.declared) namespaces.set(prefix, namespace);
  return namespaces;
}

/**
 * Resolves the name and the scope of a tag. The result is cached in the tag, because equal tags mostly occur in the
 * same scope.
 * @throws MalformedXml when the namespaces in force are too long
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

/**
 * Returns the prefix that an attribute declares; empty for the default namespace.
 * @returns undefined when the attribute is not a namespace declaration
 */
export function declaredPrefix(attribute: string): string | undefined {
  if (attribute === "xmlns") return "";
  return attribute.startsWith("xmlns:") ? attribute.slice("xmlns:".length) : undefined;
}

/**
 * Returns the namespaces that attributes declare, by prefix.
 * @returns undefined when they declare none
 */
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
