export type SparqlOperation = "query" | "update";

/**
 * The form in which an operation is sent: as a form, as the body itself, or (queries only) in the URL.
 * @see https://www.w3.org/TR/sparql11-protocol/#query-operation
 */
export type RequestForm = "form" | "direct" | "url";

export interface SparqlRequest {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}

/** The forms of each operation. Those that most engines accept come first. */
const forms: Readonly<Record<SparqlOperation, readonly RequestForm[]>> = {
  query: ["form", "direct", "url"],
  update: ["direct", "form"],
};

/** Statuses with which endpoints refuse the form of a request. Some of them also mean an invalid query. */
export const formRefusals: ReadonlySet<number> = new Set([400, 405, 406, 411, 415, 501]);

/**
 * The media types of ASK results. RDF4J and GraphDB use a text format. @see
 * https://rdf4j.org/documentation/reference/rest-api/
 */
const accepted =
  "application/sparql-results+json, application/sparql-results+xml;q=0.9, text/boolean;q=0.8, application/json;q=0.5";

/** Returns the forms to try, beginning with the one that worked before. */
export function requestForms(operation: SparqlOperation, known: RequestForm | undefined): RequestForm[] {
  const all = forms[operation];
  return known === undefined ? [...all] : [known, ...all.filter((form) => form !== known)];
}

export function buildRequest(
  operation: SparqlOperation,
  form: RequestForm,
  { url, text }: { url: URL; text: string },
): SparqlRequest {
  const accept = operation === "query" ? accepted : "*/*";
  if (form === "url") {
    const withQuery = new URL(url);
    withQuery.searchParams.set(operation, text);
    return { url: withQuery.href, method: "GET", headers: { accept } };
  }
  const type = form === "direct" ? `application/sparql-${operation}` : "application/x-www-form-urlencoded";
  const body = form === "direct" ? text : new URLSearchParams({ [operation]: text }).toString();
  return { url: url.href, method: "POST", headers: { accept, "content-type": type }, body };
}
