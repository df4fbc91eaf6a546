import type {
  ConfigurationHistory,
  ConfigurationVersion,
  RecordedChange,
} from "../../records/sources/conf/configuration-store.ts";
import type { ConfigurationItem } from "../../records/sources/configuration.ts";
import { queryAll, queryFirst } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { paddedVersion } from "./configuration-store.ts";

interface ChangeItem {
  /** Kind and id of the item. */
  id: string;
  change: RecordedChange["type"];
  before?: ConfigurationItem;
}

/** Reads what `configuration-store.ts` records of imports. */
export function configurationHistory(): ConfigurationHistory {
  const TableName = variable("configurationTable");
  return {
    async versions({ limit, after }) {
      const found = await queryFirst<ConfigurationVersion & { kind: string; id: string }>(
        {
          TableName,
          ConsistentRead: true,
          ScanIndexForward: false,
          KeyConditionExpression: `kind = :kind${after === undefined ? "" : " AND id < :after"}`,
          ExpressionAttributeValues: {
            ":kind": "version",
            ...(after !== undefined && { ":after": paddedVersion(after) }),
          },
        },
        limit,
      );
      return found.map(({ kind: _kind, id: _id, ...version }) => version);
    },
    async changesOf(version) {
      const items = await queryAll<ChangeItem>({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: "kind = :kind",
        ExpressionAttributeValues: { ":kind": `version#${paddedVersion(version)}` },
      });
      return items.map(({ id, change, before }) => {
        const [kind = "", name = ""] = id.split(/#(.*)/s);
        return {
          type: change,
          kind: kind as ConfigurationItem["kind"],
          id: name,
          ...(before !== undefined && { before }),
        };
      });
    },
  };
}
