/** Whether a text is `n/a` in any case, which publishers write into fields that an article does not have yet. */
export function isNotAvailable(text: string): boolean {
  return text.trim().toLowerCase() === "n/a";
}
