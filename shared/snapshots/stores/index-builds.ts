import { getItem, ttlAfter, updatedIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { indexBuildRetentionDays } from "../../names.ts";
import type { BuildResult, IndexBuild, IndexBuildStore, Waiting } from "../index/build/index-build.ts";

interface BuildItem {
  buildId: string;
  /** JSON of `Waiting`. */
  waiting?: Set<string>;
  divided?: Set<number>;
  built?: Set<number>;
  result?: BuildResult;
}

/** The table of index builds. Its sets only grow, so that an update may be repeated. */
export function indexBuilds(): IndexBuildStore {
  const TableName = variable("indexBuildsTable");
  const update = async (buildId: string, expression: string, values: Record<string, unknown>) => {
    const item = await updatedIf<BuildItem>({
      TableName,
      Key: { buildId },
      UpdateExpression: expression,
      ExpressionAttributeNames: Object.fromEntries(
        [...expression.matchAll(/#(\w+)/g)].map(([alias, name = ""]) => [alias, name]),
      ),
      ExpressionAttributeValues: values,
    });
    // There is no condition that could fail.
    return buildOf(item as BuildItem);
  };
  return {
    join: (buildId, { definitionId, generation }, at) =>
      update(buildId, "SET #expiresAt = if_not_exists(#expiresAt, :expiresAt) ADD #waiting :waiting", {
        ":expiresAt": ttlAfter(at.toISOString(), indexBuildRetentionDays),
        ":waiting": new Set([JSON.stringify({ definitionId, generation })]),
      }),
    note: (part) =>
      "division" in part
        ? update(part.buildId, "ADD #divided :number", { ":number": new Set([part.division]) })
        : update(part.buildId, "ADD #built :number", { ":number": new Set([part.shard]) }),
    end: (buildId, result) =>
      update(buildId, "SET #result = if_not_exists(#result, :result)", { ":result": result }),
    async get(buildId) {
      const item = await getItem<BuildItem>({ TableName, Key: { buildId }, ConsistentRead: true });
      return item && buildOf(item);
    },
  };
}

function buildOf({ buildId, waiting, divided, built, result }: BuildItem): IndexBuild {
  return {
    buildId,
    waiting: [...(waiting ?? [])].map((json) => JSON.parse(json) as Waiting),
    divided: divided ?? new Set(),
    built: built ?? new Set(),
    ...(result && { result }),
  };
}
