import { InputError } from "../../core/errors.ts";
import type { SourceStore } from "./source-store.ts";

/**
 * Checks that a source exists.
 * @throws InputError for an unknown source
 */
export async function assertSource(sourceId: string, sources: Pick<SourceStore, "source">): Promise<void> {
  if ((await sources.source(sourceId)) === undefined)
    throw new InputError("source", sourceId, "there is no such source");
}
