/**
 * Decides whether each of the sought words occurs in at least one of the texts, in any case. Without sought words, the
 * result is true.
 */
export function hasWords(sought: string, texts: readonly unknown[]): boolean {
  const whole = texts.join("\n").toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
