import { attributeOf, type PageElement } from "./elements.ts";

/** Elements, classes and ids of the parts of a page that belong to the site. */
const siteElements: ReadonlySet<string> = new Set(["footer", "aside", "nav"]);
const siteWord = /(?:^|[\s_-])(?:footer|sidebar|site-?info|colophon)(?:$|[\s_-])/i;

/** Classes and ids of a part of the article that states its rights. */
const rightsWord = /licen[cs]e|copyright|rights(?![a-z])|permissions|open-?access/i;

/** An open element with the number of open elements of the same name. */
interface OpenPlace {
  name: string;
  depth: number;
}

const voidElements: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta source track wbr".split(" "),
);

/** Follows whether the current element is in a part of the page that belongs to the site, or that states rights. */
export class PagePlaces {
  private readonly places: { site: OpenPlace | undefined; rights: OpenPlace | undefined } = {
    site: undefined,
    rights: undefined,
  };

  get isInSite(): boolean {
    return this.places.site !== undefined;
  }

  get isInRights(): boolean {
    return this.places.rights !== undefined;
  }

  open(element: PageElement): void {
    const { name } = element;
    if (voidElements.has(name)) return;
    for (const place of [this.places.site, this.places.rights]) if (place?.name === name) place.depth += 1;
    // A page may have any class on its body.
    if (name === "html" || name === "body") return;
    if (this.isInSite && this.isInRights) return;
    const words = `${attributeOf(element, "class") ?? ""} ${attributeOf(element, "id") ?? ""}`;
    if (siteElements.has(name) || siteWord.test(words)) this.places.site ??= { name, depth: 1 };
    if (rightsWord.test(words)) this.places.rights ??= { name, depth: 1 };
  }

  close(name: string): void {
    for (const kind of ["site", "rights"] as const) {
      const place = this.places[kind];
      if (place?.name !== name) continue;
      place.depth -= 1;
      if (place.depth === 0) this.places[kind] = undefined;
    }
  }
}
