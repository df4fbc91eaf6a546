import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../../shared/core/errors.ts";

/** Returns the SQLite files of a state folder. */
export function storeFiles(stateDir: string): StoreFiles {
  return {
    tables: join(stateDir, "dynamodb", "tables.sqlite"),
    objects: join(stateDir, "sqs-s3", "fauxqs.db"),
    schedules: join(stateDir, "schedules.db"),
  };
}

interface StoreFiles {
  /** The file of DynamoDB. */
  readonly tables: string;
  /** The file of SQS and S3. */
  readonly objects: string;
  /** The file of EventBridge Scheduler: rechecks of links, deadlines. */
  readonly schedules: string;
}

/** The content of a store before it is opened for use. */
interface StoreContent {
  /** The identity; absent in a state of an earlier version, and in a new or lost file. */
  readonly identity?: { readonly id: string; readonly isSettled: boolean };
  /**
   * `nothing`: there is no file, or it has no definitions. `definitions`: it has only tables or buckets.
   * `data`: it also has items or objects.
   */
  readonly holds: "nothing" | "definitions" | "data";
}

type Match = { type: "match" } | { type: "stamp"; id: string } | { type: "mismatch"; reason: string };

/**
 * Decides whether two stores belong to one state. Stores of one state have the same identity. A new identity is
 * written in three steps: to the tables as unsettled, to the objects, and then to the tables as settled. If
 * the process is killed in between, the next start completes the remaining steps.
 */
function matchStores(tables: StoreContent, objects: StoreContent, newId: () => string): Match {
  const [ofTables, ofObjects] = [tables.identity, objects.identity];
  if (ofTables !== undefined && ofObjects !== undefined) {
    if (ofTables.id !== ofObjects.id) {
      return { type: "mismatch", reason: "the tables and the objects are from different states" };
    }
    return ofTables.isSettled ? { type: "match" } : { type: "stamp", id: ofTables.id };
  }
  const isTablesLost = ofObjects !== undefined || (objects.holds === "data" && tables.holds === "nothing");
  if (isTablesLost) return { type: "mismatch", reason: lost("tables", tables) };
  const isObjectsLost =
    ofTables?.isSettled === true || (tables.holds === "data" && objects.holds === "nothing");
  if (isObjectsLost) return { type: "mismatch", reason: lost("objects", objects) };
  return { type: "stamp", id: ofTables?.id ?? newId() };
}

function lost(store: "tables" | "objects", { holds }: StoreContent): string {
  const other = store === "tables" ? "objects" : "tables";
  return holds === "nothing"
    ? `the file of the ${store} is missing or empty, though that of the ${other} is not`
    : `the ${store} do not belong to the ${other}`;
}

/**
 * Returns why the schedules do not belong to the tables. Schedules may have no identity, because earlier
 * versions did not write one, and because a first start may have been killed before it created them. So they
 * count as lost only if they are missing from a settled state with data.
 */
function schedulesProblem(tables: StoreContent, schedules: StoreContent): string | undefined {
  if (schedules.identity !== undefined) {
    return schedules.identity.id === tables.identity?.id
      ? undefined
      : "the schedules are from a different state";
  }
  const isLost = tables.identity?.isSettled && tables.holds === "data" && schedules.holds === "nothing";
  return isLost
    ? "the file of the schedules is missing or empty, though that of the tables is not"
    : undefined;
}

/**
 * Checks that all stores exist and belong to one state. Gives an identity to a new state, and to a state of
 * an earlier version. Does not change a state that it refuses.
 *
 * @throws ConfigError if a store is lost, or belongs to another state.
 */
export function identifyState(stateDir: string): void {
  const files = storeFiles(stateDir);
  const tables = readTables(files.tables);
  const schedules = readSchedules(files.schedules);
  const match = matchStores(tables, readObjects(files.objects), randomUUID);
  const problem = match.type === "mismatch" ? match.reason : schedulesProblem(tables, schedules);
  if (problem !== undefined) {
    throw new ConfigError(
      `the state in ${stateDir} is incomplete: ${problem} (${Object.values(files).join(", ")}). Nothing was changed. ` +
        "Restore the whole folder from one copy, or start a new state in another folder with --state.",
    );
  }
  if (match.type === "stamp") {
    stamp(files.tables, match.id, false);
    stamp(files.objects, match.id, true);
    stamp(files.schedules, match.id, true);
    stamp(files.tables, match.id, true);
  } else if (schedules.identity === undefined && tables.identity !== undefined) {
    stamp(files.schedules, tables.identity.id, true);
  }
}

function readTables(file: string): StoreContent {
  return readStore(file, {
    definition: ["entries", "SELECT 1 FROM entries"],
    // The keys under which dynalite stores items begin with this prefix.
    data: ["entries", "SELECT 1 FROM entries WHERE key >= 'item-' AND key < 'item.'"],
  });
}

function readObjects(file: string): StoreContent {
  return readStore(file, {
    definition: ["s3_buckets", "SELECT 1 FROM s3_buckets"],
    data: ["s3_objects", "SELECT 1 FROM s3_objects"],
  });
}

function readSchedules(file: string): StoreContent {
  const all: Probe = ["schedules", "SELECT 1 FROM schedules"];
  return readStore(file, { definition: all, data: all });
}

/** A table, and a query that returns a row if the table is not empty. */
type Probe = readonly [table: string, query: string];

function readStore(file: string, probes: { definition: Probe; data: Probe }): StoreContent {
  // SQLite would create a missing file, and would delete the write-ahead log beside an empty file.
  if (!existsSync(file) || statSync(file).size === 0) return { holds: "nothing" };
  const database = new DatabaseSync(file);
  try {
    const hasTable = (name: string) =>
      database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
      undefined;
    const finds = ([table, query]: Probe) =>
      hasTable(table) && database.prepare(`${query} LIMIT 1`).get() !== undefined;
    const row = hasTable("state_identity")
      ? database.prepare("SELECT id, settled FROM state_identity").get()
      : undefined;
    return {
      ...(row !== undefined && { identity: { id: String(row.id), isSettled: row.settled === 1 } }),
      holds: finds(probes.data) ? "data" : finds(probes.definition) ? "definitions" : "nothing",
    };
  } finally {
    database.close();
  }
}

function stamp(file: string, id: string, isSettled: boolean): void {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    database.exec(`CREATE TABLE IF NOT EXISTS state_identity
      (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, settled INTEGER NOT NULL)`);
    database.prepare("INSERT OR REPLACE INTO state_identity VALUES (1, ?, ?)").run(id, Number(isSettled));
  } finally {
    database.close();
  }
}
