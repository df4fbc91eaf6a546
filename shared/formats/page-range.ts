/** `first-last`; a dash becomes a hyphen. A first page that is a range already is returned alone. */
export function formatPageRange(first: string | undefined, last: string | undefined): string | undefined {
  const start = first?.replace(/\s*[-‐–—]+\s*/, "-");
  if (start === undefined || last === undefined || last === start || start.includes("-")) return start;
  return `${start}-${last}`;
}
