/** `1 record`, `2 records`: a number with its noun, whose plural ends in s. */
export function pluralize(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
