/** The number of pages of an index that a list reads. */
const maxReads = 4;

/**
 * Collects the wanted items of a query, up to a limit. Returns fewer items when `maxReads` pages of the index do not
 * contain enough.
 * @returns `last`: an item, or a key of the index, after which to continue; absent at the end
 */
export async function collectPage<Item>(
  read: (
    from: Record<string, unknown> | undefined,
  ) => Promise<{ items: Item[]; end: Record<string, unknown> | undefined }>,
  options: {
    limit: number;
    from: Record<string, unknown> | undefined;
    isWanted: (item: Item) => boolean;
  },
): Promise<{ items: Item[]; last?: Record<string, unknown> | Item }> {
  const found: Item[] = [];
  let { from } = options;
  for (let reads = 0; reads < maxReads; reads += 1) {
    const { items, end } = await read(from);
    for (const item of items) {
      if (options.isWanted(item)) found.push(item);
      if (found.length === options.limit) return { items: found, last: item };
    }
    if (end === undefined) return { items: found };
    from = end;
  }
  return { items: found, ...(from !== undefined && { last: from }) };
}
