import { isSetAskedFor, type PublishedSets, type SetIdentity } from "../../../check-set/published-sets.ts";
import { parseOaiUrl } from "../../../oai/request-url.ts";
import { source } from "../../../sources/source.ts";
import { queryAll } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/**
 * The register without a SPARQL store: the sources that have audiences.
 * @param onAsked called for each check, for the log
 */
export function publishedSources(onAsked: () => void): PublishedSets {
  const TableName = variable("configurationTable");
  return {
    async isPublished(set) {
      onAsked();
      const items = await queryAll<{ value: Record<string, unknown> }>({
        TableName,
        KeyConditionExpression: "kind = :kind",
        FilterExpression: "size(#value.audiences) > :none",
        ExpressionAttributeNames: { "#value": "value" },
        ExpressionAttributeValues: { ":kind": "source", ":none": 0 },
      });
      return items.some(({ value }) => {
        const published = setOf(value);
        return published !== undefined && isSetAskedFor(set, published);
      });
    },
  };
}

/** The set of a stored source; undefined for one that is not valid or not of OAI-PMH. */
function setOf(value: Record<string, unknown>): SetIdentity | undefined {
  const { data } = source.safeParse(value);
  const location = data && parseOaiUrl(data.url);
  if (location === undefined) return undefined;
  const { set } = location.args;
  return { service: location.baseUrl, ...(set !== undefined && { spec: set }) };
}
