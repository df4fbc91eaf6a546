import type { Meter } from "../meter.ts";

type Item = Readonly<Record<string, unknown>>;
/** dynalite uses both for an absent value. */
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

/** The functions of dynalite that are called for each write. */
export interface DynaliteDb {
  updateIndexes: UpdateIndexes;
  checkConditional: CheckConditional;
  itemSize(item: Item): number;
}

const meters = new WeakMap<object, Meter>();
let latest: Meter | undefined;
/** The databases that are already metered. A process may start several clouds. */
const metered = new WeakSet<DynaliteDb>();

/**
 * Counts the write units of a store's tables and indexes, as DynamoDB bills them. A write counts the KiB of
 * the item before or after the write, whichever is larger. An index counts if its projected attributes have
 * changed, and twice if its key has changed.
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
  // A write whose condition fails is billed as well. The condition check has no reference to the store.
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

/** Returns the attributes of an item that an index has; undefined if the item is not in the index. */
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

/** Returns the input of a read with a request for its consumed capacity. */
export function askForCapacity(operation: string, input: unknown): unknown {
  return readOperations.has(operation) ? { ...(input as object), ReturnConsumedCapacity: "TOTAL" } : input;
}

/** Counts the read units that the response of an operation reports. */
export function meterReads(operation: string, input: unknown, output: unknown, meter: Meter): void {
  if (!readOperations.has(operation)) return;
  const { ConsumedCapacity } = (output ?? {}) as { ConsumedCapacity?: Capacity | readonly Capacity[] };
  const { IndexName } = input as { IndexName?: string };
  for (const { TableName: table, CapacityUnits: units } of [ConsumedCapacity ?? []].flat() as Capacity[]) {
    meter.units({ table, ...(IndexName !== undefined && { index: IndexName }), kind: "read", units });
  }
}
