import { createRequire, registerHooks } from "node:module";
import type { Meter } from "../meter.ts";
import { inputOf, jsonResponse, operationOf, type Service } from "../service.ts";
import { cacheExpressions } from "./cached-expressions.ts";
import { executeStatements } from "./execute-statements.ts";
import { askForCapacity, type DynaliteDb, meterReads, meterWrites } from "./meter-tables.ts";
import type { PartiqlStatement } from "./partiql.ts";

export interface Tables {
  readonly service: Service;
  stop(): Promise<void>;
}

/** An error that dynalite reports to its caller has both fields; any other error is a bug. */
interface DynaliteError extends Error {
  readonly statusCode?: number;
  readonly body?: unknown;
}

type Callback<Value> = (error: DynaliteError | null | undefined, value?: Value) => void;

/** The part of dynalite's store that this module uses. */
interface Store {
  getTable(name: string, checkStatus: boolean | Callback<object>, done?: Callback<object>): void;
  readonly lifecycleManager: { gracefulClose(done: Callback<void>): void };
}

type Action = (store: Store, input: unknown, done: Callback<unknown>) => void;

interface Dynalite {
  readonly db: DynaliteDb;
  createStore(options: Readonly<Record<string, string | number>>): Store;
  /** @throws DynaliteError for input that DynamoDB refuses */
  checkedInput(operation: string, input: unknown, store: Store): unknown;
  action(operation: string): Action;
}

/** The operations that do not change table definitions. */
const itemOperations = new Set(
  "GetItem PutItem UpdateItem DeleteItem Query Scan BatchGetItem BatchWriteItem".split(" "),
);

/**
 * Starts DynamoDB in this process. The gateway passes permitted requests directly to dynalite's actions. This
 * avoids dynalite's HTTP server, which takes a third of the time of a call to check the form of the signature
 * and to compute a checksum and an id of the response.
 */
export async function startDynamodb(path: string, meter?: Meter): Promise<Tables> {
  const dynalite = await loadDynalite();
  const store = dynalite.createStore({ path, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  const forgetTables = rememberTables(store);
  if (meter !== undefined) meterWrites(store, meter, dynalite.db);
  const run = (operation: string, unchecked: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      const checked = dynalite.checkedInput(operation, unchecked, store);
      const input = meter === undefined ? checked : askForCapacity(operation, checked);
      const isOfItems = itemOperations.has(operation);
      if (!isOfItems) forgetTables();
      dynalite.action(operation)(store, input, (error, output) => {
        if (!isOfItems) forgetTables();
        if (meter !== undefined) meterReads(operation, input, output, meter);
        if (error) reject(error);
        else resolve(output);
      });
    });
  const statements = {
    keysOf: (table: string) => keysOf(store, table),
    run: async (operation: string, input: object) => {
      try {
        return { output: await run(operation, input) };
      } catch (error) {
        const { __type, message } = refusal(error);
        return { code: __type.split("#").at(-1) ?? "", message };
      }
    },
  };
  return {
    service: async (request) => {
      const operation = operationOf(request);
      const input = inputOf<{ Statements: readonly PartiqlStatement[] }>(request);
      try {
        const isBatch = operation === "BatchExecuteStatement";
        return jsonResponse(
          200,
          await (isBatch ? executeStatements(input, statements) : run(operation, input)),
        );
      } catch (error) {
        return jsonResponse((error as DynaliteError).statusCode ?? 400, refusal(error));
      }
    },
    stop: () =>
      new Promise((resolve, reject) =>
        store.lifecycleManager.gracefulClose((error) => (error ? reject(error) : resolve())),
      ),
  };
}

/** Returns DynamoDB's response to input that it refuses. @throws any other error */
function refusal(error: unknown): { __type: string; message: string } {
  const { statusCode, body } = error as DynaliteError;
  if (statusCode === undefined) throw error;
  return body as { __type: string; message: string };
}

function keysOf(store: Store, table: string): Promise<string[]> {
  return new Promise((resolve, reject) =>
    store.getTable(table, (error, found) => {
      const { KeySchema = [] } = (found ?? {}) as { KeySchema?: { AttributeName: string }[] };
      if (error) reject(error);
      else resolve(KeySchema.map(({ AttributeName }) => AttributeName));
    }),
  );
}

/**
 * Caches table definitions, which dynalite would otherwise read and parse for each operation. @returns a
 * function that clears the cache
 */
function rememberTables(store: Store): () => void {
  const known = new Map<string, object>();
  const read = store.getTable;
  store.getTable = (name, checkStatus, done) => {
    // Item operations omit the flag `checkStatus`. Other calls are not cached.
    if (typeof checkStatus !== "function") return read(name, checkStatus, done);
    const table = known.get(name);
    if (table !== undefined) return checkStatus(null, table);
    return read(name, (error, found) => {
      if (!error && found !== undefined) known.set(name, found);
      checkStatus(error, found);
    });
  };
  return () => known.clear();
}

/**
 * Loads dynalite with SQLite instead of LevelDB. dynalite never closes its iterators, so LevelDB would keep
 * every version of every item, and might return an old version.
 * @see https://github.com/google/leveldb/issues/320
 */
async function loadDynalite(): Promise<Dynalite> {
  const store = new URL("./sqlite-store.ts", import.meta.url).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "level" ? { url: store, shortCircuit: true } : next(specifier, context),
  });
  try {
    await import("dynalite");
    adaptDynalite();
    return partsOfDynalite();
  } finally {
    hooks.deregister();
  }
}

function partsOfDynalite(): Dynalite {
  const require = createRequire(import.meta.url);
  const { checkTypes, checkValidations, toLowerFirst } = require("dynalite/validations");
  return {
    db: require("dynalite/db"),
    createStore: require("dynalite/db").create,
    checkedInput: (operation, input, store) => {
      const { types, custom } = require(`dynalite/validations/${toLowerFirst(operation)}`);
      const typed = checkTypes(input, types);
      checkValidations(typed, types, custom, store);
      return typed;
    },
    action: (operation) => require(`dynalite/actions/${toLowerFirst(operation)}`),
  };
}

interface ConditionError {
  body: { Item?: unknown };
}

/**
 * Adds two missing features to dynalite: a cache of parsed expressions, and the parameter
 * `ReturnValuesOnConditionCheckFailure`.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
 */
function adaptDynalite(): void {
  const parameter = "ReturnValuesOnConditionCheckFailure";
  const require = createRequire(import.meta.url);
  // dynalite is already adapted if this process started another cloud before.
  if (require("dynalite/validations/putItem").types[parameter] !== undefined) return;
  for (const operation of ["putItem", "updateItem", "deleteItem"]) {
    const { types } = require(`dynalite/validations/${operation}`);
    types[parameter] = { type: "String", enum: ["ALL_OLD", "NONE"] };
  }
  for (const parser of ["condition", "update"]) cacheExpressions(require(`dynalite/db/${parser}Parser`));
  const db = require("dynalite/db");
  const { checkConditional } = db;
  db.checkConditional = (
    input: Record<string, unknown>,
    item?: object,
  ): ConditionError | null | undefined => {
    const error: ConditionError | null | undefined = checkConditional(input, item);
    if (error && item !== undefined && input[parameter] === "ALL_OLD") error.body.Item = item;
    return error;
  };
}
