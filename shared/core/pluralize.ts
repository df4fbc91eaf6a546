/** Formats a number with its noun, such as `1 record` or `2 records`. The noun's plural must end in "s". */
export function pluralize(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
