import type { ItemContent } from "../formats/formats.ts";
import { formatOf, writeMetadata } from "../formats/formats.ts";
import type { ItemVersion } from "../log/change-log.ts";
import type { ProviderPorts } from "./provider-ports.ts";

/** Reads the content of an item, as far as a format needs it. */
export async function readContent(
  { marc, raw }: Pick<ItemVersion, "marc" | "raw">,
  prefix: string,
  { contents }: Pick<ProviderPorts, "contents">,
): Promise<ItemContent> {
  const isRaw = prefix === "raw";
  if (marc !== undefined && !isRaw) return { marc: await contents.loadMarc(marc) };
  const isXml = raw !== undefined && /\bxml$/.test(raw.mediaType);
  return isXml ? { raw: await contents.loadRaw(raw) } : {};
}

/**
 * Returns the metadata of an item in a format.
 * @returns undefined for a deleted item, and for one that is not available in the format
 */
export async function metadataOf(
  version: ItemVersion,
  prefix: string,
  ports: Pick<ProviderPorts, "contents">,
): Promise<string | undefined> {
  const format = formatOf(prefix);
  if (version.isDeleted || format === undefined) return undefined;
  return writeMetadata(format, await readContent(version, prefix, ports));
}

/** Decides whether an item is available in a format. Only a document without a record must be read for that. */
export async function isAvailable(
  version: ItemVersion,
  prefix: string,
  ports: Pick<ProviderPorts, "contents">,
): Promise<boolean> {
  if (version.isDeleted) return false;
  if (version.marc !== undefined && prefix !== "raw") return true;
  return (await metadataOf(version, prefix, ports)) !== undefined;
}
