import { parseCreators } from "../../creator-names.ts";
import { isHostOf } from "./host-family.ts";
import { hasClass } from "./passages.ts";
import type { Platform } from "./platform.ts";

/** "eLife 2012;1:e00001", "eLife 8:e42270", "eLife 12:RP88481" */
const citation = /\beLife\s(?:(\d{4});)?\s?(\d+):\s?([A-Z]*\d+)/i;

/** Reads pages of eLife, whose meta tags contain neither the volume nor the article number. */
export const elife: Platform = {
  isMadeBy: ({ hosts }) => isHostOf(hosts, ["elifesciences.org"]),
  passages: {
    title: hasClass("content-header__title"),
    author: hasClass("content-header__author_list_item"),
    cite: hasClass("contextual-data__cite_wrapper"),
    downloads: hasClass("article-download-links-list__group"),
    reference: (element, within) => within.has("downloads") && element.classes.has("reference"),
    abstract: (element) => element.attribute("id") === "abstract",
  },
  read(passages) {
    const texts = [...passages("cite"), ...passages("reference")];
    const found = texts.map((text) => citation.exec(text)).find((match) => match !== null);
    if (found === undefined && passages("abstract").length === 0) return undefined;
    const [, volumeDate, volume, pages] = found ?? [];
    const abstracts = passages("abstract").map((text) =>
      text.replace(/^abstract\s+/i, "").replace(/\s*(?:DOI:\s*)?https?:\/\/(?:dx\.)?doi\.org\/\S+$/i, ""),
    );
    return {
      likelyType: "journalArticle",
      title: passages("title")[0],
      creators: parseCreators(passages("author").map((name) => name.replace(/\s*,$/, ""))),
      volumeDate,
      publicationTitle: "eLife",
      volume,
      pages,
      abstracts: abstracts.map((text) => ({ text })),
    };
  },
};
