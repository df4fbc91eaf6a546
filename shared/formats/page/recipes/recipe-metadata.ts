import { findFirstDoi } from "../../../identifiers/doi.ts";
import { normalizeIssns } from "../../../identifiers/issn.ts";
import type { ArticleMetadata } from "../../article-metadata.ts";
import { parseCreators } from "../../creator-names.ts";
import { maxKeywords } from "../../limits.ts";
import { splitSingleKeywords } from "../../split-keywords.ts";
import type { ZoteroItem } from "../../zotero-item.ts";
import type { FoundValue } from "./compile-reader.ts";
import type { FieldReading } from "./read-recipe.ts";
import { type RecipeField, statedTypes } from "./recipe.ts";

/** The fields of an item by the fields of recipes. */
export const itemFields: Readonly<Partial<Record<RecipeField, keyof ZoteroItem & string>>> = {
  title: "title",
  creators: "creators",
  year: "date",
  date: "date",
  journal: "publicationTitle",
  volume: "volume",
  issue: "issue",
  pages: "pages",
  doi: "DOI",
  issn: "ISSN",
  language: "language",
  abstract: "abstractNote",
  keywords: "tags",
  licence: "rights",
  type: "itemType",
};

/** Builds the metadata of an article from what recipes read. */
export function buildRecipeMetadata(readings: readonly FieldReading[]): ArticleMetadata {
  return Object.assign({}, ...readings.map(({ field, values }) => builders[field](values)));
}

type Builder = (values: readonly FoundValue[]) => ArticleMetadata;

const builders: Readonly<Record<RecipeField, Builder>> = {
  title: ([first]) => ({ title: first?.text }),
  creators: (values) => ({
    creators: values.flatMap(({ text, creator }) => creator ?? parseCreators([text])),
  }),
  date: ([first]) => ({ date: first?.text }),
  year: ([first]) => ({ volumeDate: first?.text }),
  journal: ([first]) => ({ publicationTitle: first?.text }),
  volume: ([first]) => ({ volume: first?.text }),
  issue: ([first]) => ({ issue: first?.text }),
  pages: ([first]) => ({ pages: first?.text }),
  doi: (values) => ({ DOI: findFirstDoi(values.map(({ text }) => text)) }),
  issn: (values) => ({ ISSN: normalizeIssns(values.map(({ text }) => text)) }),
  language: ([first]) => ({ language: first?.text }),
  publisher: ([first]) => ({ publisher: first?.text }),
  abstract: (values) => ({ abstracts: values.map(({ text }) => ({ text })) }),
  keywords: (values) => ({
    keywords: splitSingleKeywords(values.map(({ text }) => text)).slice(0, maxKeywords),
  }),
  licence: (values) => ({ rights: values.map(({ text }) => text) }),
  type: ([first]) => ({ likelyType: statedTypes.find((type) => type === first?.text) }),
  citation: () => ({}),
};
