import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createRequire, registerHooks } from "node:module";
import { Readable } from "node:stream";
import { cacheExpressions } from "./cached-expressions.ts";
import type { Service, ServiceResponse } from "./service.ts";

export interface Tables {
  readonly service: Service;
  stop(): Promise<void>;
}

/** dynalite requires a signature but does not verify it; the gateway has. */
const authorization =
  "AWS4-HMAC-SHA256 Credential=local/20250101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=local";

/**
 * DynamoDB in this process. dynalite closes its database only with a listening server, so it listens but serves nothing
 * there. The gateway passes checked requests to it within the process.
 */
export async function startDynamodb(path: string): Promise<Tables> {
  const dynalite = await loadDynalite();
  const server = dynalite({ path, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  const [handle] = server.listeners("request") as [RequestListener];
  server.removeAllListeners("request");
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    service: (request) =>
      new Promise<ServiceResponse>((resolve) => {
        const incoming = Object.assign(Readable.from([request.body]), {
          method: request.method,
          url: request.path,
          headers: { ...request.headers, authorization, "x-amz-date": "20250101T000000Z" },
        });
        const headers: Record<string, string> = {};
        const outgoing = {
          statusCode: 200,
          setHeader: (name: string, value: unknown) => {
            headers[name] = String(value);
          },
          end(body = "") {
            resolve({ status: this.statusCode, headers, body: Buffer.from(body) });
          },
        };
        // The emulator uses only this part of Node's requests and responses.
        handle(incoming as never, outgoing as never);
      }),
    stop: () =>
      new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

/**
 * dynalite over SQLite instead of LevelDB. dynalite closes no iterators, so LevelDB would keep every version of every item,
 * and might return an old one.
 * @see https://github.com/google/leveldb/issues/320
 */
async function loadDynalite(): Promise<typeof import("dynalite")["default"]> {
  const store = new URL("./sqlite-store.ts", import.meta.url).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "level" ? { url: store, shortCircuit: true } : next(specifier, context),
  });
  try {
    const { default: dynalite } = await import("dynalite");
    adaptDynalite();
    return dynalite;
  } finally {
    hooks.deregister();
  }
}

interface ConditionError {
  body: { Item?: unknown };
}

/**
 * Adds what dynalite lacks: a memory for parsed expressions, and the parameter `ReturnValuesOnConditionCheckFailure`.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
 */
function adaptDynalite(): void {
  const parameter = "ReturnValuesOnConditionCheckFailure";
  const require = createRequire(import.meta.url);
  // A process may start several clouds.
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
