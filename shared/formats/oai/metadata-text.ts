import { type NamespaceScope, namespacesIn } from "../../xml/namespaces.ts";

/** Cuts the metadata of records out of a page's text. Only text that is still needed is kept. */
export class MetadataText {
  private kept = "";
  /** The position of the first kept character in the page. */
  private keptFrom = 0;
  private start: { at: number; outer: NamespaceScope } | undefined;

  /** Must be called with each chunk before the chunk is parsed. */
  add(chunk: string): void {
    this.kept += chunk;
  }

  /** Drops text that no metadata needs. Must be called after a chunk is parsed. */
  forget(): void {
    const lastTag = this.keptFrom + Math.max(0, this.kept.lastIndexOf("<"));
    const needed = this.start === undefined ? lastTag : Math.min(this.start.at, lastTag);
    this.kept = this.kept.slice(needed - this.keptFrom);
    this.keptFrom = needed;
  }

  /**
   * @param position the position in the page after the start tag, in UTF-16 units
   * @param outer the namespaces in force around the element
   */
  begin(position: number, outer: NamespaceScope): void {
    // XML forbids `<` inside a tag.
    const at = this.keptFrom + this.kept.lastIndexOf("<", position - this.keptFrom - 1);
    this.start = { at, outer };
  }

  /** @param position the position in the page after the end tag */
  end(position: number): string | undefined {
    if (this.start === undefined) return undefined;
    const { at, outer } = this.start;
    this.start = undefined;
    return declareNamespaces(this.kept.slice(at - this.keptFrom, position - this.keptFrom), outer);
  }
}

/** Declares the inherited namespaces on the element. */
function declareNamespaces(xml: string, scope: NamespaceScope): string {
  const [startTag = ""] = /^<(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(xml) ?? [];
  const [name = ""] = /^<[^\s/>]+/.exec(startTag) ?? [];
  const inherited = [...namespacesIn(scope)].flatMap(([prefix, namespace]) => {
    const attribute = prefix === "" ? "xmlns" : `xmlns:${prefix}`;
    const isDeclared = new RegExp(`\\s${attribute}\\s*=`).test(startTag);
    return prefix === "xml" || isDeclared ? [] : [` ${attribute}="${escapeAttribute(namespace)}"`];
  });
  return name + inherited.join("") + xml.slice(name.length);
}

function escapeAttribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
