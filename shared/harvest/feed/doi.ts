/** @see https://www.doi.org/doi-handbook/HTML/doi-name-syntax.html */
const statement =
  /^(?:https?:\/\/(?:(?:www|dx)\.)?doi\.org\/|(?:info:|urn:)?doi[:/]\s*)?(10\.\d{4,9}\/\S+)$/i;
const inPath = /\/(10\.\d{4,9}\/[^\s?#]+)/;

/** What publishers append to a DOI for the views of an article, as a step of the path or as an ending. */
const viewSteps: ReadonlySet<string> = new Set(
  " full fulltext full-text abstract abs summary pdf pdfdirect epdf epub html meta references".split(" "),
);
const viewEnding = /\.(?:pdf|full|abstract|html?)$/i;

/** The DOI that an identifier states: "10.1000/182", "doi:10.1000/182", "https://doi.org/10.1000/182". */
export function statedDoi(identifier: string | undefined): string | undefined {
  return statement.exec(identifier?.trim() ?? "")?.[1];
}

/** The DOI that a URL has in its path or as the value of a parameter. */
export function doiInUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  const inView = inPath.exec(unescaped(parsed.pathname))?.[1];
  if (inView !== undefined) return withoutView(inView);
  for (const value of parsed.searchParams.values()) {
    const stated = statedDoi(value);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

function withoutView(doi: string): string {
  const steps = doi.split("/");
  while (steps.length > 2 && viewSteps.has(steps.at(-1)?.toLowerCase() ?? "")) steps.pop();
  return steps.join("/").replace(viewEnding, "");
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone % is a fault of the address, not a reason to lose the article.
    return path;
  }
}
