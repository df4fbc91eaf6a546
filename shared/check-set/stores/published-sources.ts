import * as z from "zod";
import { getItem, queryAll } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { parseOaiUrl } from "../../formats/oai/request-url.ts";
import { setAudiences } from "../../formats/oai/set-audience.ts";
import { isSetAskedFor, type PublishedSets } from "../published-sets.ts";
import type { HarvestedSet, RegisterSetPorts } from "../register-set.ts";

interface StoredSource {
  value?: unknown;
}

/**
 * The register without a SPARQL store: the sources that have audiences.
 * @param onAsked called for each check, for the log
 */
export function publishedSources(onAsked: () => void): PublishedSets {
  const TableName = variable("configurationTable");
  return {
    async isPublished(set) {
      onAsked();
      const items = await queryAll<StoredSource>({
        TableName,
        KeyConditionExpression: "kind = :kind",
        FilterExpression: "attribute_exists(#value.audiences[0])",
        ExpressionAttributeNames: { "#value": "value" },
        ExpressionAttributeValues: { ":kind": "source" },
      });
      return items.some(({ value }) => {
        const published = setOf(value);
        return published !== undefined && isSetAskedFor(set, published);
      });
    },
  };
}

/** Reads the set of a source. */
export function harvestedSet(): RegisterSetPorts["harvestedSet"] {
  const TableName = variable("configurationTable");
  return async (id) => {
    const Key = { kind: "source", id };
    const item = await getItem<StoredSource>({ TableName, Key, ConsistentRead: true });
    return setOf(item?.value);
  };
}

/** What a source says aboutits set: in its settings, or in a URL that has the arguments. */
const sourceOfSet = z.object({
  url: z.string(),
  audiences: z.array(z.enum(setAudiences)).default([]),
  oai: z.object({ set: z.string().optional(), metadataPrefix: z.string().optional() }).prefault({}),
});

/** Undefined for a source that is not valid. */
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
