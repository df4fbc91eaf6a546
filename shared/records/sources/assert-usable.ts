import { InputError } from "../../core/errors.ts";
import type { ConfigurationStore } from "./conf/configuration-store.ts";
import type { Source } from "./source.ts";

/**
 * Checks the fields of a source that depend on each other, and that its group exists.
 * @throws InputError that names the field and its value
 */
export async function assertUsable(
  { groupId, type, reading, folder, oai, audiences }: Source,
  { configuration }: { configuration: Pick<ConfigurationStore, "item"> },
): Promise<void> {
  if (reading !== undefined && type === "UPLOAD") {
    throw new InputError(
      "reading",
      reading,
      "must be omitted: a source of the type UPLOAD receives documents, and Ingather does not read it",
    );
  }
  if (type === "FILE" && reading?.mode !== "synchronous")
    throw new InputError("reading", reading, 'must be {"mode": "synchronous"}: a file is read once');
  if (type === "FOLDER" && reading?.mode !== "asynchronous")
    throw new InputError("reading", reading, "must be asynchronous: a folder is polled");
  if ((folder === undefined) === (type === "FOLDER"))
    throw new InputError("folder", folder, "must be set for sources of the type FOLDER, and only for them");
  const { set, sets } = oai;
  if (sets !== undefined && set !== undefined)
    throw new InputError("oai.sets", sets, "replaces oai.set: omit oai.set, and name all sets in oai.sets");
  if (sets !== undefined && new Set(sets.map((one) => one.set)).size < sets.length)
    throw new InputError("oai.sets", sets, "must name each set once");
  if (sets !== undefined && audiences !== undefined)
    throw new InputError(
      "audiences",
      audiences,
      "requires a source with a single set, because published sets are checked one by one: omit oai.sets",
    );
  if ((await configuration.item({ kind: "group", id: groupId })) !== undefined) return;
  throw new InputError("groupId", groupId, "there is no such group");
}
