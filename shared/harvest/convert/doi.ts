/** A DOI without what pages write before it: `doi:` or the URL of a resolver. @see https://www.doi.org/the-identifier/resources/handbook */
export function normaliseDoi(text: string): string {
  return text.replace(/^(?:https?:\/\/(?:dx\.|www\.)?doi\.org\/|doi:)\s*/i, "");
}

export function doiUrl(doi: string): string {
  return `https://doi.org/${doi}`;
}
