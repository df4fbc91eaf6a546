import { firstDoi } from "../doi.ts";
import { creatorsOf } from "./creator-names.ts";

import { MetaValues } from "./meta-values.ts";
import { plainText } from "./page-text.ts";
import type { PageParts } from "./parts.ts";
import type { Statement } from "./statement.ts";

/**
 * What plain HTML says: title, description, author, language, canonical address, licence, and the DOI that Signposting
 * gives as `cite-as`. `keywords` are left out, as Zotero does: they mostly describe the site.
 * @see https://html.spec.whatwg.org/multipage/semantics.html#standard-metadata-names
 * @see https://signposting.org/conventions/
 */
export function readHtmlHead({ metas, links, title, language }: PageParts): Statement {
  const values = new MetaValues(metas, (name) => name);
  const linked = (rel: string) => links.filter((link) => link.rel.includes(rel)).map((link) => link.url);
  const isBlog = /wordpress|blogger/i.test(values.text("generator") ?? "");
  return {
    articleType: isBlog ? "blogPost" : undefined,
    title: plainText(title),
    creators: creatorsOf(values.all("author")),
    DOI: firstDoi(linked("cite-as")),
    language: plainText(language) ?? values.text("content-language", "language"),
    url: linked("canonical")[0],
    description: values.text("description"),
    rights: linked("license"),
  };
}
