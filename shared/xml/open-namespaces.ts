import { xmlNamespace } from "./namespaces.ts";

/**
 * Keeps track of the namespaces in force while a document is read, with the innermost declaration of each prefix. Each
 * step takes constant time, however many prefixes are declared and however deeply elements are nested.
 * @see https://www.w3.org/TR/xml-names/
 */
export class OpenNamespaces {
  /** The declarations by prefix (empty for the default), the innermost one last. */
  private readonly declared = new Map<string, string[]>([["xml", [xmlNamespace]]]);
  /** The open elements that declare prefixes, the innermost one last. */
  private readonly declaring: { depth: number; prefixes: readonly string[] }[] = [];
  private innermost = 0;
  private depth = 0;

  /**
   * @param declared the declared namespaces by prefix; undefined for elements without declarations, which are the most
   * frequent
   */
  open(declared: ReadonlyMap<string, string> | undefined): void {
    this.depth++;
    if (declared === undefined) return;
    for (const [prefix, namespace] of declared) {
      const namespaces = this.declared.get(prefix);
      if (namespaces === undefined) this.declared.set(prefix, [namespace]);
      else namespaces.push(namespace);
    }
    this.declaring.push({ depth: this.depth, prefixes: [...declared.keys()] });
    this.innermost = this.depth;
  }

  /** @returns whether the element had declarations, which end with the element */
  close(): boolean {
    const hasDeclared = this.depth === this.innermost;
    this.depth--;
    if (!hasDeclared) return false;
    for (const prefix of this.declaring.pop()?.prefixes ?? []) this.declared.get(prefix)?.pop();
    this.innermost = this.declaring.at(-1)?.depth ?? 0;
    return true;
  }

  /** Returns all namespaces in force, by prefix. */
  inForce(): Map<string, string> {
    const namespaces = new Map<string, string>();
    for (const [prefix, declarations] of this.declared) {
      const innermost = declarations.at(-1);
      if (innermost !== undefined) namespaces.set(prefix, innermost);
    }
    return namespaces;
  }

  /** @returns undefined for a prefix that is not declared */
  namespaceOf(prefix: string): string | undefined {
    return this.declared.get(prefix)?.at(-1);
  }
}
