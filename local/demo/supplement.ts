import { type Article, type Journal, journal } from "./articles.ts";

/** The supplement of the demo journal, whose articles cannot be delivered yet. */
export const supplement: Journal = {
  ...journal,
  title: "The Weather Supplement",
  subtitle: "Observations of Imaginary Skies",
  issn: "9999-0180",
};

const { volume: _volume, issue: _issue, ...unassigned } = supplement;

/**
 * Two articles: the demo's validation rules refuse the first, because it has no author; the second has no
 * volume and issue.
 */
export const supplementArticles: Article[] = [
  {
    slug: "rain-without-an-author",
    journal: supplement,
    title: "Rain without an Author: Notes on an Anonymous Autumn",
    authors: [],
    published: "2026-10-20",
    language: "en",
    doi: "10.5555/lantern.weather.01",
    pages: ["1", "9"],
    abstract:
      "It rained on nineteen days, and nobody has signed for it. " +
      "The notes were found in a letter box, and are printed as they were, without the puddle.",
    keywords: ["rain", "anonymity"],
    vocabularies: ["highwire"],
  },
  {
    slug: "a-fog-that-came-early",
    journal: unassigned,
    title: "A Fog That Came Early, and Waits for Its Issue",
    authors: [{ given: "Isolde", family: "Mistral" }],
    published: "2026-10-27",
    language: "en",
    doi: "10.5555/lantern.weather.02",
    abstract:
      "The fog of the coming winter arrived in October. Until an issue has room for it, it waits in the corridor.",
    keywords: ["fog", "punctuality"],
    vocabularies: ["highwire"],
  },
];
