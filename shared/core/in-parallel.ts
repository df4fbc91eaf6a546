/**
 * Works on all items, at most `maxParallel` at a time. A slow item delays no other item. After an error, no further
 * item is started. The error is thrown after all started items have ended, so that a retry never overlaps them.
 * @returns the results in the order of the items
 * @throws the first error of the work
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  maxParallel: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const errors: unknown[] = [];
  const remaining = items.entries();
  const runNext = async () => {
    for (const [index, item] of remaining) {
      if (errors.length > 0) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, runNext));
  if (errors.length > 0) throw errors[0];
  return results;
}
