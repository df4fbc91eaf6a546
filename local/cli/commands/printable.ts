import { controlCharacters } from "../../../shared/core/control-characters.ts";

const everyControlCharacter = new RegExp(controlCharacters, "gu");

/** Control characters are escaped: links, pages and records are untrusted text. */
export function printable(text: string): string {
  return text.replaceAll(everyControlCharacter, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code}`;
  });
}

/** The same for text of several lines; line ends are kept. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
