import type { PublishedSets } from "../../check-set/published-sets.ts";
import { askWhetherPublished } from "../../check-set/set-sparql.ts";
import type { SparqlEndpoint } from "./sparql-endpoint.ts";

/** The register in a SPARQL store. */
export function sparqlPublishedSets(endpoint: Pick<SparqlEndpoint, "ask">): PublishedSets {
  return { isPublished: (set) => endpoint.ask(askWhetherPublished(set)) };
}
