import { controlCharacters } from "../../shared/core/control-characters.ts";

const everyControlCharacter = new RegExp(controlCharacters, "gu");

/** Links, pages and records come from others: what they hold must not steer the terminal, or read as another text. */
export function printable(text: string): string {
  return text.replaceAll(everyControlCharacter, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code}`;
  });
}

/** The same for what is of several lines: their ends are ours. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
