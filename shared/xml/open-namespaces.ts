import { xmlNamespace } from "./namespaces.ts";

const none: readonly string[] = [];

/**
 * The namespaces in force while a document is read: by prefix, the innermost declaration. It takes constant time, however
 * many prefixes are declared and however deep elements are nested.
 * @see https://www.w3.org/TR/xml-names/
 */
export class OpenNamespaces {
  /** By prefix (empty for the default), the innermost declaration last. */
  private readonly declared = new Map<string, string[]>([["xml", [xmlNamespace]]]);
  /** The prefixes that each open element declares. */
  private readonly opened: (readonly string[])[] = [];

  /** @param declared by prefix; undefined for most elements, which declare none */
  open(declared: ReadonlyMap<string, string> | undefined): void {
    if (declared === undefined) {
      this.opened.push(none);
      return;
    }
    for (const [prefix, namespace] of declared) {
      const namespaces = this.declared.get(prefix);
      if (namespaces === undefined) this.declared.set(prefix, [namespace]);
      else namespaces.push(namespace);
    }
    this.opened.push([...declared.keys()]);
  }

  /** @returns whether the element had declarations, which end with it */
  close(): boolean {
    const prefixes = this.opened.pop() ?? none;
    for (const prefix of prefixes) this.declared.get(prefix)?.pop();
    return prefixes.length > 0;
  }

  /** Undefined for a prefix that is not declared. */
  namespaceOf(prefix: string): string | undefined {
    return this.declared.get(prefix)?.at(-1);
  }
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
