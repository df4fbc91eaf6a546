/** Whether a text says that there is nothing to say, as publishers fill in what an article has not got yet: `n/a`, in any case. */
export function isNotAvailable(text: string): boolean {
  return text.trim().toLowerCase() === "n/a";
}
