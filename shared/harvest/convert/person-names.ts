import { collapseSpace } from "../../formats/plain-text.ts";

/** A name in parts. */
export interface PersonName {
  /** A single name, and one that stays whole, is here, without a last name. */
  firstName: string;
  lastName: string;
  /** E.g. `Jr.` or `S.J.` */
  title: string;
  /** A number, e.g. `III`. */
  affix: string;
}

const titles = new Set(["jr", "sr", "sj", "s.j", "s.j.", "fr"]);
const affixes = new Set(["i", "ii", "iii", "iv", "v"]);

/**
 * Splits a name into parts: moves a Spanish second surname to the last name, separates titles and numbers, removes
 * blacklisted words and signs of footnotes. In a name without a first or last name, the last word is the last name. A whole
 * name is only freed from signs.
 * @returns both names empty when nothing but blacklisted words and signs is left
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

/** "Last, First", as in authority files and 100 $a; a single or whole name as it is. */
export function invertedName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return [lastName, firstName].filter(Boolean).join(", ");
}

/** Signs of footnotes, of the dead and of affiliations, and the commas before them. */
const sign = String.raw`[\s,;*∗⁎†‡§¶‖#✉¹²³⁰-⁹]`;
const signsAround = new RegExp(`^${sign}+|${sign}+$`, "gu");

function stripSigns(name: string): string {
  return name.replace(signsAround, "");
}

/** The name becomes part of a URL; no real name is longer. */
const maxLookupNameChars = 200;

/** The name to look up in the authority file; undefined without a last name, or when it begins with an initial. */
export function authorityLookupName({ firstName, lastName }: PersonName): string | undefined {
  if (!lastName || /^\p{L}\./u.test(lastName)) return undefined;
  const name = invertedName({ firstName, lastName });
  return name.length <= maxLookupNameChars ? name : undefined;
}

/** A single word is the first name. */
function splitName(name: string): { firstName: string; lastName: string } {
  const collapsed = collapseSpace(name);
  const space = collapsed.lastIndexOf(" ");
  return space < 0
    ? { firstName: collapsed, lastName: "" }
    : { firstName: collapsed.slice(0, space), lastName: collapsed.slice(space + 1) };
}

/** Juan Carlos | Pérez → Juan | Carlos Pérez, unless the parts already look right. */
function moveSecondSurname(name: { firstName: string; lastName: string }): {
  firstName: string;
  lastName: string;
} {
  const first = words(name.firstName);
  if (first.length <= 1 || words(name.lastName).length >= 2) return name;
  if (/(?:des?\s+las?|del|\p{L}\.)$/iu.test(name.firstName)) return name;
  // José Ortega y | Gasset: moves everything from the word before the "y".
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

/** Matches blacklisted words between word boundaries; one that ends in a colon or bracket therefore never matches. */
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
