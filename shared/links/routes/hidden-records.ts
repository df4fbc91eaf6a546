import { InputError } from "../../core/errors.ts";
import { formatCursor, parseCursor } from "../../records/documents/record-cursor.ts";
import type { HiddenState, LinkRecords } from "../status/link-records.ts";
import { publicLinkView } from "./record-answers.ts";

/**
 * Returns a page of the records, of all collections, that searches do not show.
 * @throws InputError for a `next` of another list
 */
export async function hiddenRecords(
  state: HiddenState,
  query: { collection: string | undefined; limit: number; cursor: string | undefined },
  links: Pick<LinkRecords, "listByState">,
) {
  const { collection, limit, cursor } = query;
  // The id of a collection cannot contain a `=`.
  const list = `state=${state}`;
  const position = cursor === undefined ? undefined : parseCursor(list, cursor);
  if (cursor !== undefined && position === undefined) {
    throw new InputError("after", cursor, `must be the \`next\` of a page of the ${state} records`);
  }
  const after = position && { at: position.syndicatedAt, recordId: position.recordId };
  const page = await links.listByState(state, { collectionId: collection, limit, after });
  return {
    records: page.items.map(({ recordId, collectionId, title, landingUrl, syndicatedAt, link }) => ({
      recordId,
      collectionId,
      title,
      landingUrl,
      syndicatedAt,
      ...(link && { link: publicLinkView(link) }),
    })),
    ...(page.next && {
      next: formatCursor(list, { syndicatedAt: page.next.at, recordId: page.next.recordId }),
    }),
  };
}
