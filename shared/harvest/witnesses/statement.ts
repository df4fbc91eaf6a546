import type { RecipeOrigins } from "../../formats/page/read-page.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import type { Witness } from "../../records/origin/provenance.ts";

/** What one witness says about an article. */
export interface Statement {
  witness: Witness;
  /** The item, with its notes attached. Its fields are empty where the witness says nothing. */
  item: ZoteroItem;
  /**
   * The fields that every other witness replaces, such as the title of a page that has only a `<title>`: `all` except
   * the URL when the page proves only its own existence.
   */
  weak?: "all" | ReadonlySet<string>;
  recipes?: RecipeOrigins | undefined;
}
