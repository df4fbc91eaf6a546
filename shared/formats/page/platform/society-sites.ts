import { parseCreators } from "../../creator-names.ts";
import { formatPageRange } from "../../page-range.ts";
import { abstractSection, readAbstractSection } from "./abstract-section.ts";
import { isHostOf } from "./host-family.ts";
import { hasClass } from "./passages.ts";
import type { Platform } from "./platform.ts";

/** Reads the pages of the American Physical Society, which show the whole abstract in a section of their own. */
export const aps: Platform = {
  isMadeBy: ({ hosts }) => isHostOf(hosts, ["journals.aps.org", "link.aps.org"]),
  passages: {
    ...abstractSection,
    paragraph: (element, within) => within.has("abstractSection") && element.name === "p",
  },
  read: (passages) => {
    const [first = ""] = passages("paragraph").toSorted((a, b) => b.length - a.length);
    return { abstracts: first === "" ? readAbstractSection(passages) : [{ text: first }] };
  },
};

/** Reads the abstracts of the Royal Society of Chemistry. */
export const rsc: Platform = {
  isMadeBy: ({ hosts }) => isHostOf(hosts, ["pubs.rsc.org"]),
  passages: { ...abstractSection, capsule: hasClass("capsule__text", "article-abstract__text") },
  read: (passages) => {
    const [text] = passages("capsule").toSorted((a, b) => b.length - a.length);
    return { abstracts: text === undefined ? readAbstractSection(passages) : [{ text }] };
  },
};

/** Matches the licence of the papers of a time span in the footer of the ACL Anthology. */
const licenceBefore = /prior to (\d{4})[^.]*?licensed under the (Creative Commons [\w-]+(?: [\d.]+)?)/i;
const licenceSince = /in or after (\d{4}) are licensed on a (Creative Commons [\w-]+(?: [\d.]+)?)/i;

/** Reads the ACL Anthology, whose licence depends on the year of the paper. */
export const aclAnthology: Platform = {
  isMadeBy: ({ hosts }) => isHostOf(hosts, ["aclanthology.org", "aclweb.org"]),
  passages: {
    authors: (element) => element.name === "p" && element.classes.has("lead"),
    author: (element, within) => within.has("authors") && element.name === "a",
    abstract: hasClass("acl-abstract"),
    text: (element, within) => within.has("abstract") && element.name === "span",
    facts: (element) => element.name === "dl",
    footer: (element) => element.name === "footer",
  },
  read: (passages) => {
    const facts = passages("facts").join(" ");
    const [, date] = /\bYear: (\d{4})\b/.exec(facts) ?? [];
    const [, publicationTitle] = /\bVolume: (.{5,300}?) (?:Month|Year): /.exec(facts) ?? [];
    const [, first, last] = /\bPages: (\w+)(?:[-–](\w+))?/.exec(facts) ?? [];
    const [text] = passages("text");
    const [footer = ""] = passages("footer");
    const [, end, before] = licenceBefore.exec(footer) ?? [];
    const [, start, since] = licenceSince.exec(footer) ?? [];
    const licence =
      date === undefined
        ? undefined
        : date < (end ?? "")
          ? before
          : date >= (start ?? "9")
            ? since
            : undefined;
    return {
      creators: parseCreators(passages("author")),
      publicationTitle,
      pages: formatPageRange(first, last),
      abstracts: text === undefined ? [] : [{ text }],
      rights: licence === undefined ? [] : [licence],
    };
  },
};
