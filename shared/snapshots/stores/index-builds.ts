import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { type Expression, expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { indexBuildRetentionDays } from "../../names.ts";
import type { BuildResult, IndexBuild, IndexBuildStore, Waiting } from "../index/build/index-build.ts";

interface BuildItem {
  buildId: string;
  /** Values of `Waiting` as JSON. */
  waiting?: Set<string>;
  divided?: Set<number>;
  built?: Set<number>;
  result?: BuildResult;
}

/** Stores index builds in a table. Updates may be repeated, because the sets in an item only grow. */
export function indexBuilds(): IndexBuildStore {
  const builds = table<BuildItem>({ variable: "indexBuildsTable", key: (buildId) => ({ buildId }) });
  const update = async (buildId: string, change: Expression) => {
    // The update has no condition that could fail.
    return buildOf((await builds.updatedIf(buildId, change)) as BuildItem);
  };
  return {
    join(buildId, { definitionId, generation }, at) {
      const expiresAt = ttlAfter(at.toISOString(), indexBuildRetentionDays);
      const waiting = new Set([JSON.stringify({ definitionId, generation })]);
      return update(
        buildId,
        expression`SET expiresAt = if_not_exists(expiresAt, ${expiresAt}) ADD waiting ${waiting}`,
      );
    },
    note: (part) =>
      "division" in part
        ? update(part.buildId, expression`ADD divided ${new Set([part.division])}`)
        : update(part.buildId, expression`ADD built ${new Set([part.shard])}`),
    end: (buildId, result) => update(buildId, expression`SET result = if_not_exists(result, ${result})`),
    async get(buildId) {
      const item = await builds.get(buildId);
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
