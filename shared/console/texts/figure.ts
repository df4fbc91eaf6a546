/** `12 345` in any language: whole numbers are grouped by narrow spaces that do not break. @see ISO 80000-1 7.3.1 */
export function figure(value: number): string {
  return String(value).replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, "\u202f");
}
