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
const affixes = new Set(["i", "ii", "iii", "iv", "v"]);

/**
 * Splits a name into parts: moves a Spanish second surname to the last name, separates titles and numbers, and removes
 * blacklisted words and footnote signs. If a name has no first or no last name, its last word becomes the last name.
 * From a whole name, only signs are removed.
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
    return { firstName: isBlacklisted ? "" : wholeName, lastName: "", title: "", affix: "" };
  }
  const stripped = { firstName: stripSigns(name.firstName), lastName: stripSigns(name.lastName) };
  const moved = languages.includes("spa") ? moveSecondSurname(stripped) : stripped;
  const firstWords = words(moved.firstName);
  const lastWords = words(moved.lastName);
  const blacklisted = blacklistPattern(blacklist);
  const removeBlacklisted = (kept: string[]) => stripSigns(kept.join(" ").replaceAll(blacklisted, ""));
  const first = removeBlacklisted(firstWords.filter((word) => !isTitle(word)));
  const last = removeBlacklisted(lastWords.filter((word) => !isTitle(word) && !isAffix(word)));
  return {
    ...(first && last ? { firstName: first, lastName: last } : splitName(first || last)),
    title: [...firstWords, ...lastWords].filter(isTitle).join(" "),
    affix: lastWords.filter((word) => !isTitle(word) && isAffix(word)).join(" "),
  };
}

/** Returns "Last, First", as in authority files and 100 $a. A single or whole name is unchanged. */
export function invertedName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return [lastName, firstName].filter(Boolean).join(", ");
}

/** Matches footnote signs, signs of deceased persons and of affiliations, with the commas before them. */
const sign = String.raw`[\s,;*∗⁎†‡§¶‖#✉¹²³⁰-⁹]`;
const signsAround = new RegExp(`^${sign}+|${sign}+$`, "gu");

function stripSigns(name: string): string {
  return name.replace(signsAround, "");
}

/** The maximum length of a name to look up. The name becomes part of a URL, and real names are shorter. */
const maxLookupNameChars = 200;

/**
 * Returns the name to look up in the authority file.
 * @returns undefined for a name without a last name, or a name that begins with an initial
 */
export function authorityLookupName({ firstName, lastName }: PersonName): string | undefined {
  if (!lastName || /^\p{L}\./u.test(lastName)) return undefined;
  const name = invertedName({ firstName, lastName });
  return name.length <= maxLookupNameChars ? name : undefined;
}

/** Splits a name. A single word is the first name. */
function splitName(name: string): { firstName: string; lastName: string } {
  const collapsed = collapseSpace(name);
  const space = collapsed.lastIndexOf(" ");
  return space < 0
    ? { firstName: collapsed, lastName: "" }
    : { firstName: collapsed.slice(0, space), lastName: collapsed.slice(space + 1) };
}

/**
 * Moves a second surname: Juan Carlos | Pérez → Juan | Carlos Pérez. Does nothing when the parts already look correct.
 */
function moveSecondSurname(name: { firstName: string; lastName: string }): {
  firstName: string;
  lastName: string;
} {
  const first = words(name.firstName);
  if (first.length <= 1 || words(name.lastName).length >= 2) return name;
  if (/(?:des?\s+las?|del|\p{L}\.)$/iu.test(name.firstName)) return name;
  // José Ortega y | Gasset: all words from the word before the "y" are moved.
  const and = first.indexOf("y");
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

function isAffix(word: string): boolean {
  return affixes.has(word.toLowerCase());
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
