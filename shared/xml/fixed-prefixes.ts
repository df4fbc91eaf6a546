/**
 * Fixed prefixes for the namespaces of feeds and MODS, independent of the prefixes in a document. In all its versions,
 * RSS gets no prefix, because half of the versions have no namespace.
 */
const prefixesByNamespace: ReadonlyMap<string, string> = new Map([
  ["http://purl.org/rss/1.0", ""],
  ["http://my.netscape.com/rdf/simple/0.9", ""],
  ["http://channel.netscape.com/rdf/simple/0.9", ""],
  ["http://www.w3.org/2005/atom", "atom:"],
  ["http://purl.org/atom/ns", "atom:"],
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns", "rdf:"],
  ["http://purl.org/dc/elements/1.0", "dc:"],
  ["http://purl.org/dc/elements/1.1", "dc:"],
  ["http://purl.org/dc/terms", "dcterms:"],
  ["http://purl.org/rss/1.0/modules/prism", "prism:"],
  ["http://rssnamespace.org/feedburner/ext/1.0", "feedburner:"],
  ["http://www.loc.gov/mods/v3", "mods:"],
  ["http://www.w3.org/1999/xhtml", "xhtml:"],
  ["http://www.w3.org/xml/1998/namespace", "xml:"],
]);

/** PRISM namespaces continue with a version, such as `2.0/basic/` or `basic/2.0/`. */
const prismStem = "http://prismstandard.org/namespaces/";

/** The prefixes that are bound inside an element. */
export interface NamespaceScope {
  /** Maps the document's prefix ("" for the default) to the fixed prefix with its colon. */
  prefixes: ReadonlyMap<string, string>;
  outer?: NamespaceScope | undefined;
  /** Names that were already resolved in this scope. */
  resolved: Map<string, string>;
}

/** Prefixes that need no declaration. */
export const declaredPrefixes: ReadonlyMap<string, string> = new Map([["xml", "xml:"]]);

/** Prefixes that feeds use without declaring them, with their usual namespaces. */
export const commonPrefixes: ReadonlyMap<string, string> = new Map([
  ...declaredPrefixes,
  ...["rdf", "dc", "dcterms", "prism", "atom", "feedburner"].map((prefix) => [prefix, `${prefix}:`] as const),
]);

export function newScope(prefixes: ReadonlyMap<string, string>, outer?: NamespaceScope): NamespaceScope {
  return { prefixes, outer, resolved: new Map() };
}

/** Returns the scope inside a tag. If the tag declares no namespaces, this is the outer scope. */
export function scopeWithin(
  outer: NamespaceScope,
  tagName: string,
  attributes: { name: string; value: string }[],
): NamespaceScope {
  let own: Map<string, string> | undefined;
  for (const { name, value } of attributes) {
    if (name !== "xmlns" && !name.startsWith("xmlns:")) continue;
    own ??= new Map();
    own.set(name.slice(6), fixedPrefix(value));
  }
  // RSS 0.9x and 2.0 have no namespace, so any default namespace on `<rss>` means RSS.
  if (tagName === "rss") own?.set("", "");
  return own === undefined ? outer : newScope(own, outer);
}

/**
 * Returns an element's name with its fixed prefix ("dc:creator", "item").
 * @returns undefined when the prefix is not bound
 */
export function resolveElementName(scope: NamespaceScope, name: string): string | undefined {
  const known = scope.resolved.get(name);
  if (known !== undefined) return known;
  const colon = name.indexOf(":");
  const prefix = colon < 0 ? (findPrefix(scope, "") ?? "") : findPrefix(scope, name.slice(0, colon));
  if (prefix === undefined) return undefined;
  const local = name.slice(colon + 1);
  // PRISM versions differ in their spelling (eIssn, eissn).
  const resolved = prefix === "prism:" ? `prism:${local.toLowerCase()}` : prefix + local;
  scope.resolved.set(name, resolved);
  return resolved;
}

/** Returns an attribute's name with its fixed prefix. A name without a prefix has no namespace. */
export function resolveAttributeName(scope: NamespaceScope, name: string): string | undefined {
  return name.includes(":") && !name.startsWith("xmlns:") ? resolveElementName(scope, name) : name;
}

function findPrefix(scope: NamespaceScope, prefix: string): string | undefined {
  let searched: NamespaceScope | undefined = scope;
  while (searched !== undefined) {
    const bound = searched.prefixes.get(prefix);
    if (bound !== undefined) return bound;
    searched = searched.outer;
  }
  return undefined;
}

/**
 * Returns the fixed prefix of a namespace. Feeds may deviate from the specified namespace in scheme, case and last
 * character.
 */
function fixedPrefix(namespace: string): string {
  const plain = namespace
    .trim()
    .toLowerCase()
    .replace(/^https:/, "http:")
    .replace(/[/#]$/, "");
  if (plain === "") return "";
  return prefixesByNamespace.get(plain) ?? (plain.startsWith(prismStem) ? "prism:" : "unknown:");
}
