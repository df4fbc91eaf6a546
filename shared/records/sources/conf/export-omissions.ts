import { pluralize } from "../../../core/pluralize.ts";
import { type Configuration, configurationItems } from "../configuration.ts";
import { type ListFiles, listFileNames } from "../list-files.ts";
import { operatorFields } from "../operator-fields.ts";
import { findOperatorSettings } from "./operator-settings.ts";

/** The maximum number of ids that are named for a field. */
const maxNamed = 10;

/** Lists the data that an exported file does not contain: the fields that operators have set, and the lists. */
export function exportOmissions(configuration: Configuration): string[] {
  return [...omittedFields(configuration), ...omittedLists(configuration)];
}

function omittedFields(configuration: Configuration): string[] {
  const items = configurationItems(configuration).map((item) => ({
    ...item,
    set: findOperatorSettings(item),
  }));
  return (["group", "source"] as const).flatMap((kind) =>
    operatorFields[kind].flatMap(({ path }) => {
      const ids = items.filter((item) => item.kind === kind && item.set.includes(path)).map(({ id }) => id);
      return ids.length === 0 ? [] : [`${path} of ${pluralize(ids.length, kind)}: ${listFirst(ids)}`];
    }),
  );
}

function listFirst(ids: string[]): string {
  const more = ids.length - maxNamed;
  return ids.slice(0, maxNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function omittedLists({ settings }: Configuration): string[] {
  return (Object.keys(listFileNames) as (keyof ListFiles)[]).flatMap((list) => {
    const entries = Object.keys(settings[list]).length;
    return entries === 0
      ? []
      : [`${listFileNames[list]}, a file of its own with ${entries} ${entries === 1 ? "entry" : "entries"}`];
  });
}
