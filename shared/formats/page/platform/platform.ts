import type { ArticleMetadata } from "../../article-metadata.ts";
import type { Meta } from "../page-parts.ts";
import type { PassageSelectors, Passages } from "./passages.ts";

/** A page, as far as it shows by what software it was made. */
interface PlatformHints {
  /** The hosts of the page's URL and of those that it gives as its own. */
  hosts: readonly string[];
  metas: readonly Meta[];
}

/** A platform whose pages show what their meta tags lack. */
export interface Platform {
  isMadeBy(hints: PlatformHints): boolean;
  passages: PassageSelectors;
  /** @returns undefined for a page that is not an article */
  read(passages: Passages): ArticleMetadata | undefined;
}
