/**
 * What XPath does with texts. They may be as long as the page, so they are read by code unit and written into one
 * buffer; only where there are surrogates, which are rare, do characters and code units differ.
 */

const space = 0x20;

/** XPath's white space is less than JavaScript's. */
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

/** In characters. */
export function lengthOf(text: string): number {
  let trails = 0;
  for (let at = 0; at < text.length; at++) if (isTrail(text.charCodeAt(at))) trails++;
  return text.length - trails;
}

/** The characters from one position to before another, counted from 1; none where one of them is no number. */
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

/** White space at both ends dropped, and each run of it within made one space. */
export function normalizeSpace(text: string): string {
  const units = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isSpace(unit)) units[length++] = unit;
    else if (length > 0 && units[length - 1] !== space) units[length++] = space;
  }
  return written(units, units[length - 1] === space ? length - 1 : length);
}

type Translation = (text: string) => string;

/** The last one made: an expression asks for the same one at each node. */
let known: { from: string; to: string; translate: Translation } | undefined;

/** Replaces characters one by one; those without a counterpart are dropped, and of repeated ones the first counts. */
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

/** A table for the most frequent units, a map for the others. */
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
    return written(units, length);
  };
}

function isTrail(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}

function written(units: Uint16Array, length: number): string {
  return Buffer.from(units.buffer, 0, length * Uint16Array.BYTES_PER_ELEMENT).toString("utf16le");
}
