import {
  isNumeral,
  splitDirectName,
  splitRegnalName,
  stripAcademicTitles,
  stripSigns,
} from "../../formats/personal-names.ts";
import { collapseSpace } from "../../formats/plain-text.ts";

/** The parts of a name. */
export interface PersonName {
  /** The first name. A name that consists of a single word or that must not be split is here, without a last name. */
  firstName: string;
  lastName: string;
  /** A title, such as `Jr.` or `S.J.` */
  title: string;
  /** A number, such as `III`. */
  affix: string;
}

const titles = new Set(["jr", "sr", "sj", "s.j", "s.j.", "fr"]);
/**
 * Splits a name into parts: moves a Spanish second surname to the last name, separates titles and numbers, and removes
 * blacklisted words, academic titles and footnote signs. If a name has no first or no last name, it is split like a name
 * in direct order. From a whole name, only signs are removed, and the number of a pope or monarch is separated.
 * @returns empty first and last names when only blacklisted words and signs were given
 */
export function normaliseName(
  name: { firstName: string; lastName: string; wholeName?: string },
  languages: readonly string[],
  blacklist: readonly string[],
): PersonName {
  if (name.wholeName !== undefined) {
    const wholeName = stripSigns(name.wholeName);
    const isBlacklisted = wholeName.replaceAll(blacklistPattern(blacklist), "").trim() === "";
    const regnal = splitRegnalName(wholeName);
    const firstName = isBlacklisted ? "" : (regnal?.name ?? wholeName);
    return { firstName, lastName: "", title: "", affix: regnal?.numeral ?? "" };
  }
  const stripped = {
    firstName: stripAcademicTitles(stripSigns(name.firstName)),
    lastName: stripSigns(name.lastName),
  };
  const regnal = splitRegnalName(`${stripped.firstName} ${stripped.lastName}`);
  if (regnal !== undefined) return { firstName: regnal.name, lastName: "", title: "", affix: regnal.numeral };
  const moved = moveSecondSurname(stripped, languages);
  const firstWords = words(moved.firstName);
  const lastWords = words(moved.lastName);
  const blacklisted = blacklistPattern(blacklist);
  const removeBlacklisted = (kept: string[]) => stripSigns(kept.join(" ").replaceAll(blacklisted, ""));
  const first = removeBlacklisted(firstWords.filter((word) => !isTitle(word)));
  const last = removeBlacklisted(lastWords.filter((word) => !isTitle(word) && !isNumeral(word)));
  return {
    ...(first && last ? { firstName: first, lastName: last } : splitName(first || last)),
    title: [...firstWords, ...lastWords].filter(isTitle).join(" "),
    affix: lastWords
      .filter(isNumeral)
      .map((word) => word.replace(".", ""))
      .join(" "),
  };
}

/** Returns "Last, First", as in authority files and 100 $a. A single or whole name is unchanged. */
export function invertedName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return [lastName, firstName].filter(Boolean).join(", ");
}

/** Decides whether a name is that of a pope or monarch: a first name with a number. */
export function isRegnalName({ lastName, affix }: PersonName): boolean {
  return lastName === "" && affix !== "";
}

/** The maximum length of a name to look up. The name becomes part of a URL, and real names are shorter. */
const maxLookupNameChars = 200;

/**
 * Returns the name to look up in the authority file.
 * @returns undefined for a single or whole name, or a name that begins with an initial
 */
export function authorityLookupName(person: PersonName): string | undefined {
  const { firstName, lastName, affix } = person;
  if (isRegnalName(person)) return `${firstName} ${affix}.`;
  if (!lastName || /^\p{L}\./u.test(lastName)) return undefined;
  const name = invertedName({ firstName, lastName });
  return name.length <= maxLookupNameChars ? name : undefined;
}

/** Splits a name. A single word is the first name. */
function splitName(name: string): { firstName: string; lastName: string } {
  const collapsed = collapseSpace(name);
  return collapsed.includes(" ") ? splitDirectName(collapsed) : { firstName: collapsed, lastName: "" };
}

/**
 * Moves the first part of a surname: José Ortega y | Gasset → José | Ortega y Gasset; in Spanish also Juan Carlos |
 * Pérez → Juan | Carlos Pérez. Does nothing when the parts already look correct.
 */
function moveSecondSurname(
  name: { firstName: string; lastName: string },
  languages: readonly string[],
): { firstName: string; lastName: string } {
  const first = words(name.firstName);
  const isJoined = first.length > 2 && /^[yie]$/.test(first.at(-1) ?? "");
  if (!languages.includes("spa") && !isJoined) return name;
  if (first.length <= 1 || words(name.lastName).length >= 2) return name;
  if (/(?:des?\s+las?|del|\p{L}\.)$/iu.test(name.firstName)) return name;
  // All words from the word before the "y" are moved.
  const and = first.findIndex((word) => /^[yie]$/.test(word));
  const from = and >= 1 ? and - 1 : first.length - 1;
  return {
    firstName: first.slice(0, from).join(" "),
    lastName: [...first.slice(from), name.lastName].join(" "),
  };
}

function words(text: string): string[] {
  return text.split(" ").filter(Boolean);
}

function isTitle(word: string): boolean {
  return titles.has(word.replace(/\.$/, "").toLowerCase());
}

const blacklistPatterns = new WeakMap<readonly string[], RegExp>();

/**
 * Matches blacklisted words between word boundaries. A word that ends in a colon or bracket therefore never matches.
 */
function blacklistPattern(blacklist: readonly string[]): RegExp {
  let pattern = blacklistPatterns.get(blacklist);
  if (!pattern) {
    const boundary = String.raw`(?:(?<=[\p{L}\p{N}_])(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(?=[\p{L}\p{N}_]))`;
    const alternatives = blacklist.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    pattern = alternatives ? new RegExp(`${boundary}(?:${alternatives})${boundary}`, "giu") : /(?!)/g;
    blacklistPatterns.set(blacklist, pattern);
  }
  return pattern;
}
