import { isInSet } from "../../formats/oai/get-record.ts";
import type { ListedDocument } from "../../records/documents/document.ts";
import { setsOf } from "../../records/sources/oai-fields.ts";
import type { Source } from "../../records/sources/source.ts";

/**
 * The collection of a document: that of the first set of its source that its header names, else of the set that is being
 * listed; undefined when it is the source's.
 */
export function collectionOf(
  { sets = [] }: Pick<ListedDocument, "sets">,
  { oai }: Pick<Source, "oai">,
  listedSet: string | undefined,
): string | undefined {
  const harvested = setsOf(oai);
  const named = harvested.find(({ set }) => set !== undefined && sets.some((spec) => isInSet(spec, set)));
  return (named ?? harvested.find(({ set }) => set === listedSet))?.collectionId;
}
