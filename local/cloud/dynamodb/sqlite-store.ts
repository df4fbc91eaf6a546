import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** The bounds of a key range, as LevelDB defines them. */
export interface KeyRange {
  gt?: string;
  gte?: string;
  lt?: string;
  lte?: string;
  reverse?: boolean;
  /** The maximum number of entries; all if absent or negative. */
  limit?: number;
}

type Operation = { type: "put"; key: string; value: unknown } | { type: "del"; key: string };

/** The number of rows per query of an iterator. */
const rowsPerRead = 100;

const bounds = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/**
 * An ordered key-value store of JSON values in one SQLite file, with the methods of `level` that dynalite
 * calls. Writes survive a kill of the process, because each write is in the write-ahead log before its
 * response; a power failure may lose the last writes. Iterators keep nothing open, because each read is a
 * separate query.
 * @see https://github.com/Level/abstract-level#api
 */
export class SqliteStore {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  /** The open transaction. `commit` commits it now; `committed` resolves when it is committed. */
  private transaction: { commit(): void; readonly committed: Promise<void> } | undefined;

  /** @param folder the folder of the file `tables.sqlite`, which is created if it is absent */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.database = new DatabaseSync(join(folder, "tables.sqlite"));
    this.database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    `);
  }

  async get(key: string): Promise<unknown> {
    const row = this.statement("SELECT value FROM entries WHERE key = ?").get(key);
    return row === undefined ? undefined : JSON.parse(String(row.value));
  }

  put(key: string, value: unknown): Promise<void> {
    return this.write(() => this.apply({ type: "put", key, value }));
  }

  del(key: string): Promise<void> {
    return this.write(() => this.apply({ type: "del", key }));
  }

  /** Runs all operations, or none. */
  batch(operations: Operation[]): Promise<void> {
    return this.write(() => {
      this.database.exec("SAVEPOINT batch");
      try {
        for (const operation of operations) this.apply(operation);
      } catch (error) {
        this.database.exec("ROLLBACK TO batch");
        throw error;
      } finally {
        this.database.exec("RELEASE batch");
      }
    });
  }

  keys(range: KeyRange = {}): Entries<string> {
    return new Entries(this.entries(range), ({ key }) => key);
  }

  values(range: KeyRange = {}): Entries<unknown> {
    return new Entries(this.entries(range), ({ value }) => JSON.parse(value));
  }

  async close(): Promise<void> {
    this.transaction?.commit();
    this.statements.clear();
    this.database.close();
  }

  /**
   * Writes in one transaction together with all other writes of this turn of the event loop, because each
   * commit is a write to the disk. Resolves when the transaction is committed. Values that `get` reads before
   * the commit are passed on in a later turn; iterators commit first.
   */
  private async write(change: () => void): Promise<void> {
    this.transaction ??= this.beginTransaction();
    const { committed } = this.transaction;
    change();
    await committed;
  }

  private beginTransaction(): { commit(): void; committed: Promise<void> } {
    this.database.exec("BEGIN IMMEDIATE");
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>();
    const commit = () => {
      clearImmediate(timer);
      this.transaction = undefined;
      try {
        this.database.exec("COMMIT");
        resolve();
      } catch (error) {
        if (this.database.isTransaction) this.database.exec("ROLLBACK");
        reject(error);
      }
    };
    const timer = setImmediate(commit);
    return { commit, committed };
  }

  private apply(operation: Operation): void {
    if (operation.type === "del") this.statement("DELETE FROM entries WHERE key = ?").run(operation.key);
    else {
      this.statement(
        "INSERT INTO entries VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      ).run(operation.key, JSON.stringify(operation.value));
    }
  }

  private *entries({ reverse = false, limit = -1, ...range }: KeyRange): Generator<Entry, undefined> {
    let left = limit < 0 ? Number.POSITIVE_INFINITY : limit;
    let rest: KeyRange = range;
    while (left > 0) {
      const page = this.page(rest, { reverse, limit: Math.min(left, rowsPerRead) });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < rowsPerRead) return;
      left -= page.length;
      if (reverse) rest = { ...without(rest, "lte"), lt: last.key };
      else rest = { ...without(rest, "gte"), gt: last.key };
    }
  }

  private page(range: KeyRange, { reverse, limit }: { reverse: boolean; limit: number }): Entry[] {
    this.transaction?.commit();
    const given = (Object.keys(bounds) as (keyof typeof bounds)[]).filter(
      (name) => range[name] !== undefined,
    );
    const where = given.map((name) => `key ${bounds[name]} ?`).join(" AND ");
    const order = `ORDER BY key ${reverse ? "DESC" : "ASC"} LIMIT ?`;
    const sql = `SELECT key, value FROM entries ${where && `WHERE ${where}`} ${order}`;
    const values: SQLInputValue[] = given.map((name) => String(range[name]));
    // The rows have the columns that the statement names.
    return this.statement(sql).all(...values, limit) as unknown as Entry[];
  }

  /** Returns a prepared statement, cached by its SQL. */
  private statement(sql: string): StatementSync {
    const known = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, known);
    return known;
  }
}

interface Entry {
  key: string;
  /** The value as JSON. */
  value: string;
}

function without(range: KeyRange, name: keyof KeyRange): KeyRange {
  const { [name]: _dropped, ...rest } = range;
  return rest;
}

/** An iterator over entries, as in `level`: yields `undefined` at the end. */
class Entries<Value> {
  private readonly entries: Iterator<Entry, undefined>;
  private readonly read: (entry: Entry) => Value;

  constructor(entries: Iterator<Entry, undefined>, read: (entry: Entry) => Value) {
    this.entries = entries;
    this.read = read;
  }

  async next(): Promise<Value | undefined> {
    const { done, value } = this.entries.next();
    return done ? undefined : this.read(value);
  }

  async return(): Promise<void> {
    this.entries.return?.();
  }
}

/** The name that dynalite imports. */
export { SqliteStore as Level };
