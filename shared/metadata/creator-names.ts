import { normalizeOrcid } from "../identifiers/orcid.ts";
import type { MetadataCreator } from "./article-metadata.ts";
import { maxCreators } from "./limits.ts";
import { plainText } from "./plain-text.ts";

/** What is longer is a sentence, not a name. */
const maxNameChars = 200;

/** A surname's particle: "de la Cruz, Maria Elena" is one name although two words stand before its comma. */
const surnameParticle = /^(?:van|von|de|da|di|du|del|della|la|le|el|al|ter|ten|zu)\b/i;

/** Written as in its own country. Katakana alone writes foreign names, which keep their order. */
const eastAsianName =
  /^(?=.*[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}])[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}ー ]+$/u;

/**
 * The creators in values that hold a name each, or a list: split at ";", and when there is one value only, at ","
 * too if words stand on both sides of it ("Jane Doe, Richard Roe").
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

/** The creators in one value among several: one name, or names split by ";". */
export function parseCreatorList(value: string, creatorType = "author"): MetadataCreator[] {
  return (plainText(value) ?? "")
    .split(";", maxCreators)
    .map((name) => parseCreatorName(name, creatorType))
    .filter((creator) => creator !== undefined);
}

/**
 * One name, as plain text, in Zotero's parts: "Last, First" is split at the comma, "First Last" before the last word,
 * a name of one word stays whole. East Asian names (山田 太郎) begin with the surname. Initials get their dots, names all in
 * capitals or small letters their case.
 * @returns undefined when nothing is left that could be a name, or the value is a URL
 * @see https://github.com/zotero/utilities cleanAuthor, whose splitting this follows but for East Asian names
 */
export function parseCreatorName(text: string, creatorType = "author"): MetadataCreator | undefined {
  if (text.length > maxNameChars) return undefined;
  const name = text.replace(/^[\s.,/[\]:]+|[\s,/[\]:]+$/g, "").replace(/(?<=\p{Ll}{2})\.$/u, "");
  if (!/\p{L}/u.test(name) || /^https?:|^www\.|@/i.test(name)) return undefined;

  const comma = name.indexOf(",");
  if (comma > 0) {
    const first = name.slice(comma + 1).replace(/\s*,\s*/g, " ");
    return buildPersonCreator(first, name.slice(0, comma), creatorType);
  }
  const isSurnameFirst = eastAsianName.test(name);
  const space = isSurnameFirst ? name.indexOf(" ") : name.lastIndexOf(" ");
  if (space <= 0) return { creatorType, name };
  const [before, after] = [name.slice(0, space), name.slice(space + 1)];
  return isSurnameFirst
    ? buildPersonCreator(after, before, creatorType)
    : buildPersonCreator(before, after, creatorType);
}

/** A person whose parts the page names apart. */
export function buildPersonCreator(first: string, last: string, creatorType = "author"): MetadataCreator {
  const firstName = normalizeCase(withDottedInitials(first.trim(), last.trim()));
  const lastName = normalizeCase(last.trim());
  return firstName === "" ? { creatorType, name: lastName } : { creatorType, firstName, lastName };
}

/** The creator with the ORCID iD found in the first value that has one. */
export function withOrcid(
  creator: MetadataCreator,
  values: readonly (string | undefined)[],
): MetadataCreator {
  const orcid = values.map(normalizeOrcid).find((id) => id !== undefined);
  return orcid === undefined ? creator : { ...creator, orcid };
}

/** "First Last", or the name in one piece. */
export function fullName(creator: MetadataCreator): string {
  return creator.name ?? `${creator.firstName} ${creator.lastName}`;
}

function splitAtCommas(value: string): readonly string[] {
  const parts = value.split(",").map((part) => part.trim());
  const [left, right] = parts;
  const isList =
    left?.includes(" ") && right?.includes(" ") && !value.includes(";") && !surnameParticle.test(left);
  return isList ? parts : [value];
}

/** "JA" before "Smith" are initials: "J. A.". */
function withDottedInitials(first: string, last: string): string {
  const areInitials = /^\p{Lu}{1,3}$/u.test(first) && (first.length === 1 || last !== last.toUpperCase());
  return areInitials ? [...first].map((letter) => `${letter}.`).join(" ") : first;
}

function normalizeCase(name: string): string {
  if (name !== name.toUpperCase() && name !== name.toLowerCase()) return name;
  return name.toLowerCase().replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
}
