import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../../shared/core/errors.ts";

/** The SQLite files of a state folder. */
export function storeFiles(stateDir: string): StoreFiles {
  return {
    tables: join(stateDir, "dynamodb", "tables.sqlite"),
    objects: join(stateDir, "sqs-s3", "fauxqs.db"),
    schedules: join(stateDir, "schedules.db"),
  };
}

interface StoreFiles {
  /** DynamoDB. */
  readonly tables: string;
  /** SQS and S3. */
  readonly objects: string;
  /** EventBridge Scheduler: rechecks of links, deadlines. */
  readonly schedules: string;
}

/** What a store holds before it is opened for use. */
interface StoreContent {
  /** Absent in a state of an earlier version, and in a new or lost file. */
  readonly identity?: { readonly id: string; readonly isSettled: boolean };
  /** `nothing`: no file, or one without any definition; `definitions`: tables or buckets; `data`: items or objects. */
  readonly holds: "nothing" | "definitions" | "data";
}

type Match = { type: "match" } | { type: "stamp"; id: string } | { type: "mismatch"; reason: string };

/**
 * Decides whether two stores are one state. Both carry one identity. The tables get it first, unsettled; then the
 * objects; then the tables' is settled. So a kill in between leaves a state that the next start stamps to the end.
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
 * Why the schedules are not those of the tables. Earlier versions gave them no identity, and a first start may have
 * been killed before it created them: they count as lost only when they are gone from a settled state with data.
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
 * Checks that the stores are there and of one state, and gives a new state, or one of an earlier version, its identity.
 * A refused state is unchanged.
 *
 * @throws ConfigError when one store is lost, or from another state.
 */
export function identifyState(stateDir: string): void {
  const files = storeFiles(stateDir);
  const tables = readTables(files.tables);
  const schedules = readSchedules(files.schedules);
  const match = matchStores(tables, readObjects(files.objects), randomUUID);
  const problem = match.type === "mismatch" ? match.reason : schedulesProblem(tables, schedules);
  if (problem !== undefined) {
    throw new ConfigError(
      `the state in ${stateDir} is not whole: ${problem} (${Object.values(files).join(", ")}). Nothing was changed. ` +
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
    // The key under which dynalite keeps an item starts so.
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

/** A table, and a query that finds a row when it is not empty. */
type Probe = readonly [table: string, query: string];

function readStore(file: string, probes: { definition: Probe; data: Probe }): StoreContent {
  // SQLite would create a missing file, and delete the log beside an empty one.
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
