/** Returns `first-last`, with a hyphen instead of a dash. A first page that is already a range is returned alone. */
export function formatPageRange(first: string | undefined, last: string | undefined): string | undefined {
  const start = first?.replace(/\s*[-‐–—]+\s*/, "-");
  if (start === undefined || last === undefined || last === start || start.includes("-")) return start;
  return `${start}-${last}`;
}
