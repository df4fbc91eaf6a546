/** Whether all words that somebody looks for are in one of these texts, whatever their case; no words are in any text. */
export function hasWords(sought: string, texts: readonly unknown[]): boolean {
  const whole = texts.join("\n").toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
