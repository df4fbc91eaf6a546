import { iso2709 } from "../iso2709.ts";
import { eaccCharacter } from "./eacc.ts";
import { isSingleByteSet, type SingleByteSet, singleByteCharacter } from "./single-byte-sets.ts";

/** `at`: the index of the first byte that cannot be read. */
type DecodedMarc8 = { type: "text"; text: string } | { type: "refused"; at: number; reason: string };

/** `1`: the East Asian Character Code, with three bytes per character. */
type CharacterSet = SingleByteSet | "1";

/**
 * Decodes a value in MARC-8. The result has Unicode's order (combining characters after their base) and is in NFC. Each
 * value begins with ASCII as G0 and ANSEL as G1; these are the working sets of bytes below and above 80.
 * @param bytes one character for each byte (latin1)
 * @see https://www.loc.gov/marc/specifications/speccharmarc8.html
 */
export function decodeMarc8(bytes: string): DecodedMarc8 {
  let g0: CharacterSet = "B";
  let g1: CharacterSet = "E";
  let text = "";
  /** The combining characters whose base follows. */
  let combining = "";
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes.charCodeAt(at);
    if (byte === iso2709.escape) {
      const change = readEscape(bytes, at);
      if ("reason" in change) return { type: "refused", at, reason: change.reason };
      if (change.isG1) g1 = change.set;
      else g0 = change.set;
      at += change.length;
      continue;
    }
    const set = byte < 0x80 ? g0 : g1;
    const length = isGraphic(byte) && set === "1" ? 3 : 1;
    const character = length === 3 ? eaccAt(bytes, at) : characterOf(byte, set);
    if (character === undefined) {
      const shown = Buffer.from(bytes.slice(at, at + length), "latin1")
        .toString("hex")
        .toUpperCase();
      return { type: "refused", at, reason: `MARC-8 has no character ${shown} in ${names[set]}` };
    }
    at += length;
    if (isCombining.test(character)) combining += character;
    else if (character !== "") {
      text += character + combining;
      combining = "";
    }
  }
  return { type: "text", text: (text + combining).normalize("NFC") };
}

/** The tables treat the superscript alef (U+0670) as a letter, because it already follows its base. */
const isCombining = /^(?!\u0670)\p{M}$/u;

/** Control characters of MARC-8 outside its character sets: non-sorting begin and end, joiner and non-joiner. */
const controls: Readonly<Record<number, string>> = {
  136: "\u0098",
  137: "\u009c",
  141: "\u200d",
  142: "\u200c",
};

function isGraphic(byte: number): boolean {
  return (byte & 0x7f) > 0x20 && (byte & 0x7f) < 0x7f;
}

function characterOf(byte: number, set: CharacterSet): string | undefined {
  if (byte <= 0x20) return String.fromCharCode(byte);
  if (!isGraphic(byte) || set === "1") return controls[byte];
  return singleByteCharacter(set, byte & 0x7f);
}

function eaccAt(bytes: string, at: number): string | undefined {
  const [first = 0, second = 0, third = 0] = [0, 1, 2].map((place) => bytes.charCodeAt(at + place) & 0x7f);
  return eaccCharacter(first, second, third);
}

type SetChange = { set: CharacterSet; isG1: boolean; length: number } | { reason: string };

/**
 * The text after `ESC`. It is either the code of a special set, or consists of `$` (for three bytes), the place (`(`
 * `,` for G0, `)` `-` for G1), and the set.
 */
const escapeSequence = /(?:([gbps])|(?=[$(),-])(\$?)([(),-]?)!?([ -~]))/y;

function readEscape(bytes: string, at: number): SetChange {
  escapeSequence.lastIndex = at + 1;
  const [whole, own, multiple, place = "", final = ""] = escapeSequence.exec(bytes) ?? [];
  if (whole === undefined)
    return { reason: `the escape sequence ${shownEscape(bytes.slice(at + 1, at + 3))} is not one of MARC-8` };
  const isG1 = place === ")" || place === "-";
  const name = own === "s" ? "B" : (own ?? final);
  const isEacc = multiple === "$";
  if (isEacc ? name === "1" : isSingleByteSet(name))
    return { set: name as CharacterSet, isG1, length: 1 + whole.length };
  return { reason: `the escape sequence ${shownEscape(whole)} names a character set that is not supported` };
}

function shownEscape(sequence: string): string {
  return ["ESC", ...sequence.replaceAll(/[^!-~]/g, "?")].join(" ");
}

const names: Readonly<Record<CharacterSet, string>> = {
  1: "the East Asian Character Code",
  2: "Basic Hebrew",
  3: "Basic Arabic",
  4: "Extended Arabic",
  B: "ASCII",
  E: "Extended Latin",
  N: "Basic Cyrillic",
  Q: "Extended Cyrillic",
  S: "Basic Greek",
  b: "the subscripts",
  g: "the Greek symbols",
  p: "the superscripts",
};
