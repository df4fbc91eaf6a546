import type { Clock } from "../../core/clock.ts";
import type { MarcRecord } from "../../marc/record.ts";
import type { ContentLocation } from "../../records/documents/document.ts";
import type { ChangeLogReader } from "../log/change-log.ts";

/** How the repository describes itself. */
export interface Repository {
  name: string;
  /** The domain in its identifiers, such as `library.example` in `oai:library.example:…`. It never changes. */
  id: string;
  email: string;
  baseUrl: string;
}

export interface ProviderPorts {
  log: ChangeLogReader;
  contents: {
    loadMarc(recordKey: string): Promise<MarcRecord>;
    /** Reads the metadata of a document as their source sent them. */
    loadRaw(location: ContentLocation): Promise<string>;
  };
  repository: Repository;
  clock: Pick<Clock, "now">;
}

/** Returns the identifier of an item in this repository. @see https://www.openarchives.org/OAI/2.0/guidelines-oai-identifier.htm */
export function identifierOf(itemId: string, { id }: Pick<Repository, "id">): string {
  return `oai:${id}:${itemId}`;
}

/** Returns the id of the item with an identifier; undefined for an identifier that is not of this repository. */
export function itemIdOf(identifier: string, { id }: Pick<Repository, "id">): string | undefined {
  const prefix = `oai:${id}:`;
  const itemId = identifier.slice(prefix.length);
  return identifier.startsWith(prefix) && /^[\w-]{1,64}$/.test(itemId) ? itemId : undefined;
}
