/** Control characters, line separators, and what turns the direction of what follows; the marks of Hebrew and Arabic do not. */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** Links, pages and records come from others: what they hold must not steer the terminal, or read as another text. */
export function printable(text: string): string {
  return text.replaceAll(steering, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u${code}`;
  });
}
