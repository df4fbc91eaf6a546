import { expect } from "vitest";
import { type KeyRange, SqliteStore } from "../../../../local/cloud/dynamodb/sqlite-store.ts";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";

/**
 * Does random writes, batches, reads and queries of ranges on a store and on a `Map`, reopens the store now and then, and
 * compares each answer. Queries are left before their end, as dynalite leaves them.
 */
export async function compareWithModel(folder: string, { operations = 1000, seed = 1 }): Promise<void> {
  const random = seededRandom(seed);
  const model = new Map<string, unknown>();
  let store = new SqliteStore(folder);
  const anyKey = () => `t${Math.floor(random() * 3)}~${Math.floor(random() * 200)}/ü\u{1f600}`;
  for (let count = 0; count < operations; count += 1) {
    const choice = random();
    const key = anyKey();
    if (choice < 0.5) {
      model.set(key, { count, text: "x".repeat(Math.floor(random() * 300)) });
      await store.put(key, model.get(key));
    } else if (choice < 0.6) {
      model.delete(key);
      await store.del(key);
    } else if (choice < 0.7) {
      const other = anyKey();
      model.set(key, [count]);
      model.delete(other);
      await store.batch([
        { type: "put", key, value: [count] },
        { type: "del", key: other },
      ]);
    } else if (choice < 0.85) {
      expect(await store.get(key)).toEqual(model.get(key));
    } else if (choice < 0.999) {
      const range = { [random() < 0.5 ? "gt" : "gte"]: key, reverse: random() < 0.5 };
      await compareRange(store, model, { ...range, ...(random() < 0.5 && { lt: anyKey() }) });
    } else {
      await store.close();
      store = new SqliteStore(folder);
    }
  }
  await compareRange(store, model, {});
  await store.close();
}

async function compareRange(store: SqliteStore, model: Map<string, unknown>, range: KeyRange): Promise<void> {
  const { gt, gte, lt, reverse = false } = range;
  const after = (key: string) =>
    (gt === undefined || compare(key, gt) > 0) && (gte === undefined || compare(key, gte) >= 0);
  const expected = [...model.keys()].filter(
    (key) => after(key) && (lt === undefined || compare(key, lt) < 0),
  );
  expected.sort(compare);
  if (reverse) expected.reverse();
  const keys = store.keys(range);
  const values = store.values(range);
  for (const key of [...expected.slice(0, 150), ...(expected.length <= 150 ? [undefined] : [])]) {
    expect(await keys.next()).toBe(key);
    expect(await values.next()).toEqual(key === undefined ? undefined : model.get(key));
  }
}

/** In the order of their UTF-8, as stores of keys have it. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
