import type { SparqlEndpoint } from "../../adapters/sparql/sparql-endpoint.ts";
import type { PublishedSets } from "../published-sets.ts";
import { askWhetherPublished } from "../set-sparql.ts";

/** Provides the register in a SPARQL store. */
export function sparqlPublishedSets(endpoint: Pick<SparqlEndpoint, "ask">): PublishedSets {
  return { isPublished: (set) => endpoint.ask(askWhetherPublished(set)) };
}
