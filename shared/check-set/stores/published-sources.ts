import * as z from "zod";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { parseOaiUrl } from "../../formats/oai/request-url.ts";
import { setAudiences } from "../../formats/oai/set-audience.ts";
import { isSetAskedFor, type PublishedSets } from "../published-sets.ts";
import type { HarvestedSet, RegisterSetPorts } from "../register-set.ts";

interface StoredSource {
  value?: unknown;
}

/**
 * Provides the register without a SPARQL store: the sources that have audiences.
 * @param onAsked called for each check, for the log
 */
export function publishedSources(onAsked: () => void): PublishedSets {
  const sources = openSources();
  return {
    async isPublished(set) {
      onAsked();
      const where = expression`kind = ${"source"}`;
      const filter = expression`attribute_exists(value.audiences[0])`;
      const items = await sources.query({ where, filter }).all();
      return items.some(({ value }) => {
        const published = setOf(value);
        return published !== undefined && isSetAskedFor(set, published);
      });
    },
  };
}

/** Reads the set of a source. */
export function harvestedSet(): RegisterSetPorts["harvestedSet"] {
  const sources = openSources();
  return async (id) => setOf((await sources.get(id))?.value);
}

function openSources() {
  return table<StoredSource>({ variable: "configurationTable", key: (id) => ({ kind: "source", id }) });
}

/** The set of a source, according to its settings or to a URL that contains the arguments. */
const sourceOfSet = z.object({
  url: z.string(),
  audiences: z.array(z.enum(setAudiences)).default([]),
  oai: z.object({ set: z.string().optional(), metadataPrefix: z.string().optional() }).prefault({}),
});

/**
 * Parses a source.
 * @returns undefined for a source that is not valid
 */
function setOf(value: unknown): HarvestedSet | undefined {
  const { data } = sourceOfSet.safeParse(value);
  if (data === undefined) return undefined;
  const location = parseOaiUrl(data.url);
  if (location === undefined) return undefined;
  const { args, baseUrl: service } = location;
  const spec = data.oai.set ?? args.set;
  const metadataPrefix = data.oai.metadataPrefix ?? args.metadataPrefix ?? "oai_dc";
  return { service, ...(spec !== undefined && { spec }), metadataPrefix, audiences: data.audiences };
}
