import { forEachElement } from "../../formats/page/elements.ts";
import { decodeText } from "./decode-text.ts";

/**
 * Returns the id or name that the fragment of a link refers to.
 * @returns undefined when there is nothing to find: no fragment, only a text directive (`#:~:text=`), the top of the
 * page, or a state that a script reads (`#/route`, `#!route`)
 * @see https://wicg.github.io/scroll-to-text-fragment/#the-fragment-directive
 */
export function fragmentOf(link: string): string | undefined {
  const at = link.indexOf("#");
  if (at === -1) return undefined;
  const fragment = link.slice(at + 1).split(":~:", 1)[0] as string;
  if (fragment === "" || /^[!/]/.test(fragment) || /^top$/i.test(fragment)) return undefined;
  return fragment;
}

/** The ids and names of a page. */
export class FragmentTargets {
  private readonly names: ReadonlySet<string>;

  private constructor(names: ReadonlySet<string>) {
    this.names = names;
  }

  static of(body: Uint8Array, contentType: string | undefined): FragmentTargets {
    const names = new Set<string>();
    forEachElement(
      decodeText(body, contentType),
      ({ name, attributes }) => {
        for (const attribute of attributes) {
          const isTarget = attribute.name === "id" || (attribute.name === "name" && name === "a");
          if (isTarget && attribute.value !== "") names.add(attribute.value);
        }
      },
      { withText: [], includeForeign: true },
    );
    return new FragmentTargets(names);
  }

  /**
   * Returns whether the page has the target of a fragment. GitHub and other sites add a prefix to the ids in users'
   * texts.
   * @see https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element
   */
  has(fragment: string): boolean {
    const decoded = decodeFragment(fragment);
    return [fragment, decoded, `user-content-${decoded}`].some((name) => this.names.has(name));
  }
}

/** Decodes a fragment. Bytes that are not UTF-8 become U+FFFD, as in browsers. */
function decodeFragment(fragment: string): string {
  const bytes = Buffer.from(fragment, "utf8").toString("latin1");
  const unescaped = bytes.replaceAll(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(unescaped, "latin1").toString("utf8");
}
