/**
 * Returns a named field in the header of a record or response, without angle brackets; undefined if it is
 * absent.
 */
export function fieldIn(header: string, name: string): string | undefined {
  const [, value] = new RegExp(`^${name}: *<?(.*?)>?\\r?$`, "im").exec(header) ?? [];
  return value;
}
