import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ItemVersion, ListEntry, LogState } from "../log/change-log.ts";
import { countList, findEntries, keyAfter, readVersions } from "./list-page.ts";
import { identifierOf, type ProviderPorts } from "./provider-ports.ts";
import { isAvailable, metadataOf } from "./read-content.ts";
import { fault, type OaiFault } from "./read-request.ts";
import { type ListPosition, writeToken } from "./resumption-token.ts";
import { type RecordHeader, writeHeader, writeListEnd, writeRecord } from "./write-response.ts";

/** The largest number of entries of a page. */
const pageSizes = { ListRecords: 100, ListIdentifiers: 400 } as const;

/** A page ends after the record with which it exceeds this size. */
const pageBytes = 1_000_000;

/** The records that are read at a time. After them, the size of the page is checked. */
const batchSize = 20;

/**
 * Writes a page of ListRecords or ListIdentifiers. An item that has left the set of the list, or that is not available
 * in its format, is given as deleted.
 * @param state.tokenKey signs the resumption token
 */
export async function listItems(
  position: ListPosition,
  { key: current = "", tokenKey }: Pick<LogState, "key" | "tokenKey">,
  ports: ProviderPorts,
): Promise<string | OaiFault> {
  const { verb, cursor } = position;
  const visible = { log: ports.log, current };
  const found = await findEntries(position, pageSizes[verb], visible);
  if (found.entries.length === 0) return fault("noRecordsMatch", "no record matches the arguments");
  const versions = await readVersions(found.entries, visible);
  const items: string[] = [];
  let bytes = 0;
  for (const batch of inBatches(found.entries, batchSize)) {
    if (bytes >= pageBytes) break;
    const written = await inParallel(batch, batchSize, (entry) =>
      writeEntry(entry, versions.get(entry.itemId), position, ports),
    );
    for (const item of written) {
      if (bytes >= pageBytes) break;
      items.push(item);
      bytes += Buffer.byteLength(item);
    }
  }
  const last = found.entries[items.length - 1];
  const after = items.length < found.entries.length ? last?.key : found.after;
  const isPaged = after !== undefined || cursor > 0;
  const size = position.size ?? (isPaged && cursor === 0 ? await countList(position, ports.log) : undefined);
  const next: ListPosition | undefined =
    after === undefined || last === undefined
      ? undefined
      : {
          ...position,
          from: keyAfter(after),
          itemId: last.itemId,
          cursor: cursor + items.length,
          ...(size !== undefined && { size }),
        };
  const token = next && writeToken(next, tokenKey);
  return `<${verb}>${items.join("")}${writeListEnd({ token, cursor, size })}</${verb}>`;
}

async function writeEntry(
  { itemId, key, hasLeft }: ListEntry,
  version: ItemVersion | undefined,
  { verb, metadataPrefix }: ListPosition,
  ports: ProviderPorts,
): Promise<string> {
  const identifier = identifierOf(itemId, ports.repository);
  const header = (isDeleted: boolean): RecordHeader => ({
    identifier,
    key,
    sets: version?.sets ?? [],
    isDeleted,
  });
  if (hasLeft || version === undefined) return deletedEntry(verb, header(true));
  if (verb === "ListIdentifiers") {
    return writeHeader(header(!(await isAvailable(version, metadataPrefix, ports))));
  }
  const metadata = await metadataOf(version, metadataPrefix, ports);
  return writeRecord(header(metadata === undefined), metadata);
}

function deletedEntry(verb: ListPosition["verb"], header: RecordHeader): string {
  return verb === "ListIdentifiers" ? writeHeader(header) : writeRecord(header, undefined);
}
