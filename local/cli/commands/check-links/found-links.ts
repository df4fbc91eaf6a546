import type { FilePlace } from "./formats/link-output.ts";

const noPlaces: readonly FilePlace[] = [];

/** The links to check, with their places. Each link is listed once, in the order of its first occurrence. */
export class FoundLinks {
  private readonly places = new Map<string, FilePlace[] | undefined>();

  get size(): number {
    return this.places.size;
  }

  /** @returns whether the link is new */
  add(url: string, place?: FilePlace): boolean {
    const known = this.places.get(url);
    const isNew = known === undefined && !this.places.has(url);
    if (place === undefined) {
      if (isNew) this.places.set(url, undefined);
    } else if (known === undefined) {
      this.places.set(url, [place]);
    } else {
      known.push(place);
    }
    return isNew;
  }

  urls(): Iterable<string> {
    return this.places.keys();
  }

  placesOf(url: string): readonly FilePlace[] {
    return this.places.get(url) ?? noPlaces;
  }

  /** Keeps only the links that pass a filter. */
  retain(isWanted: (url: string) => boolean): void {
    for (const url of this.places.keys()) if (!isWanted(url)) this.places.delete(url);
  }
}
