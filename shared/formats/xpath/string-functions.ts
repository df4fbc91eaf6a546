/**
 * The string functions of XPath. A text may be as long as the page, so they read code units and write into one buffer;
 * characters and code units differ only where there are surrogates.
 */

const space = 0x20;

/** XPath has fewer white space characters than JavaScript. */
function isSpace(unit: number): boolean {
  return unit === space || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}

export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

export function hasSurrogates(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

/** Returns the length in characters. */
export function lengthOf(text: string): number {
  let trails = 0;
  for (let at = 0; at < text.length; at++) if (isTrail(text.charCodeAt(at))) trails++;
  return text.length - trails;
}

/**
 * Returns the characters from position `first` up to but not including `end`, counted from 1. Returns none when either
 * is NaN.
 */
export function substring(text: string, first: number, end: number): string {
  let from = text.length;
  let position = 0;
  for (let at = 0; at < text.length; at++) {
    if (isTrail(text.charCodeAt(at))) continue;
    position++;
    if (position >= first && from === text.length) from = at;
    if (!(position < end)) return text.slice(from, Math.max(from, at));
  }
  return text.slice(from);
}

/** Trims white space, and replaces each run of white space with one space. */
export function normalizeSpace(text: string): string {
  const units = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isSpace(unit)) units[length++] = unit;
    else if (length > 0 && units[length - 1] !== space) units[length++] = space;
  }
  return decodeUnits(units, units[length - 1] === space ? length - 1 : length);
}

type Translation = (text: string) => string;

/** The last translation, cached because an expression uses the same one for each node. */
let known: { from: string; to: string; translate: Translation } | undefined;

/**
 * Returns a function that replaces characters one by one, and drops those without a counterpart. If a character is
 * repeated in `from`, its first occurrence counts.
 */
export function translation(from: string, to: string): Translation {
  if (known?.from !== from || known.to !== to) known = { from, to, translate: newTranslation(from, to) };
  return known.translate;
}

function newTranslation(from: string, to: string): Translation {
  const targets = [...to];
  const map = new Map<string, string>();
  for (const [index, character] of [...from].entries()) {
    if (!map.has(character)) map.set(character, targets[index] ?? "");
  }
  if (hasSurrogates(from) || hasSurrogates(to)) {
    return (text) => Array.from(text, (character) => map.get(character) ?? character).join("");
  }
  return translationOfUnits(map);
}

const dropped = -1;
const tabled = 256;

/** Builds a table for the most frequent code units, and a map for the others. */
function translationOfUnits(map: Map<string, string>): Translation {
  const targets = new Map(
    Array.from(map, ([character, target]) => [
      character.charCodeAt(0),
      target === "" ? dropped : target.charCodeAt(0),
    ]),
  );
  const table = Array.from({ length: tabled }, (_none, unit) => targets.get(unit) ?? unit);
  return (text) => {
    const units = new Uint16Array(text.length);
    let length = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const target = table[unit] ?? targets.get(unit) ?? unit;
      if (target !== dropped) units[length++] = target;
    }
    return decodeUnits(units, length);
  };
}

function isTrail(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

function decodeUnits(units: Uint16Array, length: number): string {
  return Buffer.from(units.buffer, 0, length * Uint16Array.BYTES_PER_ELEMENT).toString("utf16le");
}
