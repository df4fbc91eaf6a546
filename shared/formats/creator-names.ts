import { normalizeOrcid } from "../identifiers/orcid.ts";
import type { MetadataCreator } from "./article-metadata.ts";
import { isBodyName, joinBodyName } from "./body-names.ts";
import { maxCreators } from "./limits.ts";
import {
  isNumeral,
  splitDirectName,
  splitJoinedNames,
  splitRegnalName,
  stripBrackets,
  tidyName,
} from "./personal-names.ts";
import { plainText } from "./plain-text.ts";

/** The longest text that counts as a name. */
const maxNameChars = 200;

/** "de la Cruz, Maria Elena" is one name, although several words precede the comma. */
const surnameParticle = /^(?:van|von|de|da|di|du|del|della|la|le|el|al|ter|ten|zu)\b/i;

/** Initials, and forenames that are not surnames: "Ó Néill, P. G." and "García Márquez, María José" are one name each. */
const onlyForenames =
  /^(?:(?:\p{Lu}[\p{L}-]+ )?(?:\p{Lu}\.[ -]?)+|\p{Lu}\p{L}+ (?:José|Mar[ií]a|Jesús|Ángel|Antonio|Carlos|Isabel|Luis|Manuel|Teresa))$/u;

/**
 * A name in East Asian script, which begins with the surname. Names in Katakana only are excluded, because they are
 * foreign names and begin with the given name.
 */
const eastAsianName =
  /^(?=.*[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}])[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}ー ]+$/u;

/**
 * Parses creators from values that contain one name each or a list of names. Lists are split at ";". A single value is
 * also split at "," if there are several words on both sides of it ("Jane Doe, Richard Roe").
 */
export function parseCreators(values: readonly string[], creatorType = "author"): MetadataCreator[] {
  const [only] = values;
  const names = only !== undefined && values.length === 1 ? splitAtCommas(only) : values;
  const creators: MetadataCreator[] = [];
  for (const name of names) {
    if (creators.length >= maxCreators) break;
    creators.push(...parseCreatorList(name, creatorType));
  }
  return creators.slice(0, maxCreators);
}

/** Parses one of several values. The value is a name, or names separated by ";" or "and". */
export function parseCreatorList(value: string, creatorType = "author"): MetadataCreator[] {
  return splitNames(plainText(value) ?? "")
    .map((name) => parseCreatorName(name, creatorType))
    .filter((creator) => creator !== undefined);
}

/** Splits a list of names at ";" and, unless it is the name of a body, at "and". */
export function splitNames(list: string): string[] {
  return list
    .split(";", maxCreators)
    .flatMap((part) => (part.length > maxNameChars || isBodyName(part) ? [part] : splitJoinedNames(part)));
}

/**
 * Splits one name, in plain text, as Zotero does: "Last, First" at the comma, and "First Last" before the last word or a
 * compound surname. A single word, the name of a body, and that of a pope or monarch (Charles III) are not split. East
 * Asian names (山田 太郎) and names that end in initials (Smith J) begin with the surname. Signs, academic titles, and
 * places in brackets are removed. Initials get dots, and names completely in upper or lower case are capitalised.
 * @returns undefined for a URL and a text without letters
 * @see https://github.com/zotero/utilities cleanAuthor, the model except for East Asian names
 */
export function parseCreatorName(text: string, creatorType = "author"): MetadataCreator | undefined {
  if (text.length > maxNameChars) return undefined;
  const tidy = tidyName(text.replace(/^[\s.,/[\]:]+|[\s,/[\]:]+$/g, "").replace(/(?<=\p{Ll}{2})\.$/u, ""));
  const name = tidy.includes(",") ? tidy : stripBrackets(tidy);
  if (!/\p{L}/u.test(name) || /^https?:|^www\.|@/i.test(name)) return undefined;

  const comma = name.indexOf(",");
  // "Organization, World Health" is also a body, in the order of a person's name.
  if (isBodyName(name) && !/^[^\s,]+,/.test(name)) return { creatorType, name };
  if (comma > 0) {
    const first = name.slice(comma + 1).replace(/\s*,\s*/g, " ");
    const body = joinBodyName({ firstName: first.trim(), lastName: name.slice(0, comma).trim() });
    if (body !== undefined) return { creatorType, name: body };
    return buildPersonCreator(first, name.slice(0, comma), creatorType);
  }
  if (!name.includes(" ") || splitRegnalName(name) !== undefined) return { creatorType, name };
  if (eastAsianName.test(name)) {
    const space = name.indexOf(" ");
    return buildPersonCreator(name.slice(space + 1), name.slice(0, space), creatorType);
  }
  const { firstName, lastName } = splitDirectName(name);
  // "Smith J" has its initials as written.
  return name.startsWith(lastName)
    ? { creatorType, firstName, lastName }
    : buildPersonCreator(firstName, lastName, creatorType);
}

/** What remains of a name that was split too late: a place, a conjunction, initials, a word that follows the surname. */
const noSurname = /^(?:[([].*[)\]]|and|und|et|&|\p{Lu}\.?|\p{Lu}{2}|Filho|J[uú]nior|Neto|Sobrinho)$/u;
const endsInParticle = /\S (?:D[eai]|Dell?[ao]?|Van|Von)$/u;

/**
 * Parses a name that another program has split before its last word. Only a split that is obviously wrong is replaced:
 * Karl Müller | (Tübingen), Smith | J, Karl Müller and Anna | Schmidt, World Health | Organization.
 */
export function parseSplitName({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): ({ name: string } | { firstName: string; lastName: string })[] {
  const whole = `${firstName} ${lastName}`.trim();
  const body = joinBodyName({ firstName, lastName });
  if (body !== undefined) return [{ name: body }];
  if (whole.length > maxNameChars) return [{ firstName, lastName }];
  const isNoSurname = noSurname.test(tidyName(lastName) || "and") || endsInParticle.test(firstName);
  const areSeveral = splitNames(whole).length > 1;
  if (firstName === "" || lastName === "" || !(isNoSurname || areSeveral)) return [{ firstName, lastName }];
  return parseCreatorList(whole).map(({ name, firstName: first = "", lastName: last = "" }) =>
    name === undefined ? { firstName: first, lastName: last } : { name },
  );
}

/** A person whose first and last names are given separately. */
export function buildPersonCreator(first: string, last: string, creatorType = "author"): MetadataCreator {
  const firstName = normalizeCase(withDottedInitials(first.trim(), last.trim()));
  const isNumber = isNumeral(last.trim()) && /\p{Ll}/u.test(first);
  const lastName = isNumber ? last.trim() : normalizeCase(last.trim());
  return firstName === "" ? { creatorType, name: lastName } : { creatorType, firstName, lastName };
}

/** Adds the kind of a name that its source states, if the words of the name suggest the other kind. The name of a body is not split. */
export function withStatedKind(creator: MetadataCreator, kind: "person" | "body"): MetadataCreator {
  const { creatorType } = creator;
  const name = fullName(creator);
  if (isBodyName(name) === (kind === "body")) return creator;
  return kind === "body" ? { creatorType, name, kind } : { ...creator, kind };
}

/** Adds the ORCID iD of the first value that has one. */
export function withOrcid(
  creator: MetadataCreator,
  values: readonly (string | undefined)[],
): MetadataCreator {
  const orcid = values.map(normalizeOrcid).find((id) => id !== undefined);
  return orcid === undefined ? creator : { ...creator, orcid };
}

/** Returns "First Last", or the unsplit name. */
export function fullName(creator: MetadataCreator): string {
  return creator.name ?? `${creator.firstName} ${creator.lastName}`;
}

function splitAtCommas(value: string): readonly string[] {
  const parts = value.split(",").map((part) => part.trim());
  const [left, right] = parts;
  const isList =
    left?.includes(" ") &&
    right?.includes(" ") &&
    !value.includes(";") &&
    !surnameParticle.test(left) &&
    !onlyForenames.test(right);
  return isList ? parts : [value];
}

/** Adds dots to initials: "JA" before "Smith" becomes "J. A.". */
function withDottedInitials(first: string, last: string): string {
  const areInitials = /^\p{Lu}{1,3}$/u.test(first) && (first.length === 1 || last !== last.toUpperCase());
  return areInitials ? [...first].map((letter) => `${letter}.`).join(" ") : first;
}

function normalizeCase(name: string): string {
  if (name !== name.toUpperCase() && name !== name.toLowerCase()) return name;
  return name
    .split(" ")
    .map((word, at) => (at > 0 && isNumeral(word) ? word : capitalize(word)))
    .join(" ");
}

function capitalize(word: string): string {
  return word.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
}
