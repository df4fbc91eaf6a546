import { findFirstDoi } from "../../identifiers/doi.ts";
import type { ArticleMetadata } from "../article-metadata.ts";
import { parseCreators } from "../creator-names.ts";
import { plainText } from "../plain-text.ts";
import { MetaValues } from "./meta-values.ts";
import type { PageParts } from "./page-parts.ts";

/**
 * Reads plain HTML: title, description, author, language, canonical URL, licence, and the DOI in Signposting's
 * `cite-as`. `keywords` are ignored, as in Zotero, because they mostly describe the site.
 * @see https://html.spec.whatwg.org/multipage/semantics.html#standard-metadata-names
 * @see https://signposting.org/conventions/
 */
export function readHtmlHead({ metas, links, title, language }: PageParts): ArticleMetadata {
  const values = new MetaValues(metas, (name) => name);
  const linked = (rel: string) => links.filter((link) => link.rel.includes(rel)).map((link) => link.url);
  const isBlog = /wordpress|blogger/i.test(values.text("generator") ?? "");
  return {
    articleType: isBlog ? "blogPost" : undefined,
    title: plainText(title),
    creators: parseCreators(values.all("author")),
    DOI: findFirstDoi(linked("cite-as")),
    language: plainText(language) ?? values.text("content-language", "language"),
    url: linked("canonical")[0],
    description: values.text("description"),
    rights: linked("license"),
  };
}
