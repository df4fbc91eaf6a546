import type { Meter } from "../meter.ts";

type Item = Readonly<Record<string, unknown>>;
/** dynalite has both. */
type Absent = undefined | null;

interface Index {
  readonly IndexName: string;
  readonly KeySchema: readonly { AttributeName: string }[];
  readonly Projection: { ProjectionType: string; NonKeyAttributes?: readonly string[] };
}

interface Table {
  readonly TableName: string;
  readonly KeySchema: Index["KeySchema"];
  readonly GlobalSecondaryIndexes?: readonly Index[];
}

type UpdateIndexes = (
  store: object,
  table: Table,
  existing: Item | Absent,
  item: Item | Absent,
  done: unknown,
) => void;
type CheckConditional = (input: { TableName?: string; Item?: Item }, item?: Item) => unknown;

/** The parts of dynalite that see each write. */
export interface DynaliteDb {
  updateIndexes: UpdateIndexes;
  checkConditional: CheckConditional;
  itemSize(item: Item): number;
}

const meters = new WeakMap<object, Meter>();
let latest: Meter | undefined;
/** A process may start several clouds. */
const metered = new WeakSet<DynaliteDb>();

/**
 * Counts the write units of a store's tables and indexes, as DynamoDB bills them: for the larger of the item before and
 * after, per KiB; for an index when what it projects has changed, twice when its key has.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
export function meterWrites(store: object, meter: Meter, db: DynaliteDb): void {
  meters.set(store, meter);
  latest = meter;
  if (metered.has(db)) return;
  metered.add(db);
  const { updateIndexes, checkConditional } = db;
  db.updateIndexes = (of, table, existing, item, done) => {
    const seenBy = meters.get(of);
    if (seenBy !== undefined) {
      const units = Math.max(unitsOf(existing, db), unitsOf(item, db), 1);
      seenBy.units({ table: table.TableName, kind: "write", units });
      for (const index of table.GlobalSecondaryIndexes ?? []) {
        const ofIndex = indexUnits(index, { table, existing, item }, db);
        if (ofIndex > 0)
          seenBy.units({ table: table.TableName, index: index.IndexName, kind: "write", units: ofIndex });
      }
    }
    updateIndexes(of, table, existing, item, done);
  };
  // A write whose condition does not hold is billed, too. The check does not know the store.
  db.checkConditional = (input, item) => {
    const problem = checkConditional(input, item);
    if (problem && input.TableName !== undefined)
      latest?.units({ table: input.TableName, kind: "write", units: Math.max(unitsOf(item, db), 1) });
    return problem;
  };
}

function unitsOf(item: Item | Absent, db: DynaliteDb): number {
  return item == null ? 0 : Math.ceil(db.itemSize(item) / 1024);
}

function indexUnits(
  index: Index,
  { table, existing, item }: { table: Table; existing: Item | Absent; item: Item | Absent },
  db: DynaliteDb,
): number {
  const before = projection(index, table, existing);
  const after = projection(index, table, item);
  const units = [before, after].map((each) => unitsOf(each, db));
  if (before === undefined || after === undefined) return Math.max(...units);
  const isMoved = index.KeySchema.some(({ AttributeName: key }) => text(before[key]) !== text(after[key]));
  if (isMoved) return (units[0] ?? 0) + (units[1] ?? 0);
  return text(before) === text(after) ? 0 : Math.max(...units);
}

/** What an index holds of an item; undefined when the item is not in it. */
function projection(index: Index, table: Table, item: Item | Absent): Item | undefined {
  const keys = index.KeySchema.map(({ AttributeName }) => AttributeName);
  if (item == null || keys.some((key) => item[key] === undefined)) return undefined;
  const { ProjectionType, NonKeyAttributes = [] } = index.Projection;
  const ofTable = table.KeySchema.map(({ AttributeName }) => AttributeName);
  const names =
    ProjectionType === "ALL" ? Object.keys(item) : [...new Set([...keys, ...ofTable, ...NonKeyAttributes])];
  return Object.fromEntries(names.toSorted().flatMap((name) => (name in item ? [[name, item[name]]] : [])));
}

function text(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

interface Capacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

const readOperations = new Set(["GetItem", "BatchGetItem", "Query", "Scan"]);

/** The input of a read with the wish for its capacity. */
export function askForCapacity(operation: string, input: unknown): unknown {
  return readOperations.has(operation) ? { ...(input as object), ReturnConsumedCapacity: "TOTAL" } : input;
}

/** Counts the read units that an operation has answered. */
export function meterReads(operation: string, input: unknown, output: unknown, meter: Meter): void {
  if (!readOperations.has(operation)) return;
  const { ConsumedCapacity } = (output ?? {}) as { ConsumedCapacity?: Capacity | readonly Capacity[] };
  const { IndexName } = input as { IndexName?: string };
  for (const { TableName: table, CapacityUnits: units } of [ConsumedCapacity ?? []].flat() as Capacity[]) {
    meter.units({ table, ...(IndexName !== undefined && { index: IndexName }), kind: "read", units });
  }
}
