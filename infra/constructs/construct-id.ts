/** The id of the construct of something that is named in camel case or with hyphens: `IndexParts` of `indexParts`. */
export function constructId(name: string): string {
  return name.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
}
