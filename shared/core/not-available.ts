/**
 * Decides whether a text is `n/a` in any case. Publishers write `n/a` into fields that an article does not have yet.
 */
export function isNotAvailable(text: string): boolean {
  return text.trim().toLowerCase() === "n/a";
}
