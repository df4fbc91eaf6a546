import type {
  ConfigurationHistory,
  ConfigurationVersion,
  RecordedChange,
} from "../../records/sources/conf/configuration-store.ts";
import type { ConfigurationItem } from "../../records/sources/configuration.ts";
import { expression, given } from "../aws/expression.ts";
import { table } from "../aws/table.ts";
import { changesKind, paddedVersion } from "./configuration-store.ts";

interface ChangeItem {
  /** The kind and the id of the item. */
  id: string;
  change: RecordedChange["type"];
  before?: ConfigurationItem;
}

/** Reads the records of imports that `configuration-store.ts` writes. */
export function configurationHistory(): ConfigurationHistory {
  const versions = table<ConfigurationVersion>({
    variable: "configurationTable",
    key: (id) => ({ kind: "version", id }),
    hidden: ["kind", "id"],
  });
  const changes = table<ChangeItem, { version: number; id: string }>({
    variable: "configurationTable",
    key: ({ version, id }) => ({ kind: changesKind(version), id }),
  });
  return {
    versions({ limit, after }) {
      const older = given(after, (version) => expression` AND id < ${paddedVersion(version)}`);
      const where = expression`kind = ${"version"}${older}`;
      return versions.query({ where, isDescending: true, isConsistent: true }).first(limit);
    },
    async changesOf(version) {
      const where = expression`kind = ${changesKind(version)}`;
      const items = await changes.query({ where, isConsistent: true }).all();
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
