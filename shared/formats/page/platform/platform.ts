import type { ArticleMetadata } from "../../article-metadata.ts";
import type { Meta } from "../page-parts.ts";
import type { PassageSelectors, Passages } from "./passages.ts";

/** The parts of a page that identify the software which created it. */
interface PlatformHints {
  /** The hosts of the page's URL, and of the URLs that the page states as its own. */
  hosts: readonly string[];
  metas: readonly Meta[];
}

/** A publishing platform whose pages show data that their meta tags lack. */
export interface Platform {
  isMadeBy(hints: PlatformHints): boolean;
  passages: PassageSelectors;
  /** @returns undefined for a page that is not an article */
  read(passages: Passages): ArticleMetadata | undefined;
}
