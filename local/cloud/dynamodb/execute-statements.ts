import { Unsupported } from "../service.ts";
import { type PartiqlStatement, readStatement } from "./partiql.ts";

/** The result of an operation on an item. */
type ItemResult = { output: unknown } | { code: string; message: string };

interface Operations {
  keysOf(table: string): Promise<string[]>;
  run(operation: "PutItem" | "UpdateItem", input: object): Promise<ItemResult>;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html */
const maxStatements = 25;

/**
 * Runs BatchExecuteStatement. Each statement succeeds or fails separately. As in DynamoDB, an item may occur
 * only once.
 *
 * @throws Unsupported for statements that the local cloud cannot parse, and for more statements than DynamoDB
 *   accepts
 */
export async function executeStatements(
  { Statements }: { Statements: readonly PartiqlStatement[] },
  { keysOf, run }: Operations,
): Promise<{ Responses: object[] }> {
  if (Statements.length === 0 || Statements.length > maxStatements) {
    throw new Unsupported(`a batch has 1 to ${maxStatements} statements, not ${Statements.length}`);
  }
  const read = await Promise.all(
    Statements.map(async (statement) => {
      const { table, operation, failure, input } = readStatement(statement);
      const keys = await keysOf(table);
      const item: { Item?: object; Key?: object } = input(keys);
      const attributes = Object.entries(item.Key ?? item.Item ?? {});
      const key = JSON.stringify([table, ...keys.map((name) => attributes.find(([each]) => each === name))]);
      return { table, operation, failure, item, key };
    }),
  );
  if (new Set(read.map(({ key }) => key)).size < read.length)
    throw new Unsupported("a batch of statements must not contain an item twice");
  const Responses = await Promise.all(
    read.map(async ({ table, operation, failure, item }) => {
      const result = await run(operation, item);
      if ("output" in result) return { TableName: table };
      const { code, message } = result;
      const Code = code === "ConditionalCheckFailedException" ? failure : code.replace(/Exception$/, "");
      return { TableName: table, Error: { Code, Message: message } };
    }),
  );
  return { Responses };
}
