/**
 * Does the work for all items, at most `atOnce` at a time, each as soon as there is room: a slow one holds up no other.
 * Gives the results in the order of the items. After an error no further item is begun; it is thrown when those under way
 * have ended, so that whoever begins anew is alone.
 * @throws whatever the work has thrown first
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  maxParallel: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const errors: unknown[] = [];
  const remaining = items.entries();
  const runNext = async () => {
    for (const [index, item] of remaining) {
      if (errors.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, runNext));
  if (errors.length > 0) throw errors[0];
  return results;
}
