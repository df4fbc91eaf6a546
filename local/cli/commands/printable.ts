import { controlCharacters } from "../../../shared/core/control-characters.ts";

const everyControlCharacter = new RegExp(controlCharacters, "gu");

/** Escapes control characters, because links, pages and records are untrusted text. */
export function printable(text: string): string {
  return text.replaceAll(everyControlCharacter, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code}`;
  });
}

/** Escapes control characters of a text with several lines, except line ends. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
