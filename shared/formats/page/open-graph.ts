import type { ArticleMetadata } from "../article-metadata.ts";
import { parseCreators } from "../creator-names.ts";
import { MetaValues } from "./meta-values.ts";
import type { Meta } from "./page-parts.ts";

/**
 * The description that Digital Commons generates for works without an abstract (seen 2026-11): "By A and B, Published
 * on 01/01/14".
 */
const stopgapDescription = /^By .{1,1000}, Published on \d/;

/**
 * Reads Open Graph: `og:*` and `article:*`. Authors that are profile URLs are ignored.
 * @see https://ogp.me/
 */
export function readOpenGraph(metas: readonly Meta[]): ArticleMetadata | undefined {
  const values = new MetaValues(metas, (name) => (/^(?:og|article):/.test(name) ? name : undefined));
  if (values.isEmpty) return undefined;

  const description = values.text("og:description");
  const type = values.text("og:type")?.toLowerCase();
  return {
    likelyType: type === "article" || type === "book" ? type : undefined,
    title: values.text("og:title"),
    creators: parseCreators(values.all("article:author")),
    date: values.text("article:published_time"),
    publicationTitle: values.text("og:site_name"),
    language: values.text("og:locale")?.replace("_", "-"),
    url: values.text("og:url"),
    description: description !== undefined && stopgapDescription.test(description) ? undefined : description,
    keywords: values.singleKeywords("article:tag"),
  };
}
