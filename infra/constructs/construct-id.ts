/** Returns the construct id for a name in camel case or with hyphens: `IndexParts` for `indexParts`. */
export function constructId(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}
