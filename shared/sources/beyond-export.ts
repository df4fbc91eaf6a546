import { counted } from "../core/counted.ts";
import { fieldsBeyondFile, setBeyondFile } from "./beyond-file.ts";
import { type Configuration, itemsOf } from "./configuration.ts";
import { type EnhancementFiles, enhancementFileNames } from "./enhancement-files.ts";

/** Of the items that have a field. */
const mostNamed = 10;

/** What a file that is exported does not hold of the items in it: fields that operators have set, and the lists. */
export function leftOutOfFile(configuration: Configuration): string[] {
  return [...fieldsLeftOut(configuration), ...listsLeftOut(configuration)];
}

function fieldsLeftOut(configuration: Configuration): string[] {
  const items = itemsOf(configuration).map((item) => ({ ...item, set: setBeyondFile(item) }));
  return (["group", "source"] as const).flatMap((kind) =>
    fieldsBeyondFile[kind].flatMap((field) => {
      const ids = items.filter((item) => item.kind === kind && item.set.includes(field)).map(({ id }) => id);
      return ids.length === 0 ? [] : [`${field} of ${counted(ids.length, kind)}: ${firstOf(ids)}`];
    }),
  );
}

function firstOf(ids: string[]): string {
  const more = ids.length - mostNamed;
  return ids.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function listsLeftOut({ settings }: Configuration): string[] {
  return (Object.keys(enhancementFileNames) as (keyof EnhancementFiles)[]).flatMap((list) => {
    const entries = Object.keys(settings[list]).length;
    return entries === 0
      ? []
      : [
          `${enhancementFileNames[list]}, a file of its own with ${entries} ${entries === 1 ? "entry" : "entries"}`,
        ];
  });
}
