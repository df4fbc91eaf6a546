/**
 * Formats a whole number in any language, such as `12 345`. Digits are grouped by narrow no-break spaces. @see ISO
 * 80000-1 7.3.1
 */
export function figure(value: number): string {
  return String(value).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, "\u202f");
}
