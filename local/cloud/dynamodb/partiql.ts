import { Unsupported } from "../service.ts";

/** A statement of BatchExecuteStatement. */
export interface PartiqlStatement {
  readonly Statement: string;
  readonly Parameters?: readonly object[];
}

/** The operation on an item that a statement describes. */
interface StatementOperation {
  readonly table: string;
  /** The IAM action that the statement needs. */
  readonly action: "PartiQLInsert" | "PartiQLUpdate";
  readonly operation: "PutItem" | "UpdateItem";
  /** The error code of a statement whose condition fails. */
  readonly failure: "DuplicateItem" | "ConditionalCheckFailed";
  /** Returns the input of the operation. @param keys the names of the table's key attributes */
  input(keys: readonly string[]): object;
}

const insert = /^INSERT INTO "([\w.-]+)" VALUE \{(.*)\}$/s;
const update = /^UPDATE "([\w.-]+)" ((?:(?:SET|REMOVE) .*?)+) WHERE (.*)$/s;

/**
 * Parses the statements that Ingather's adapters write: `INSERT INTO "t" VALUE {'a': ?}`, and `UPDATE "t" SET
 * "a" = ? REMOVE "b" WHERE "key" = ? AND …` with `=`, `<>`, AND, OR and parentheses.
 *
 * @throws Unsupported for any other statement
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html
 */
export function readStatement({ Statement, Parameters = [] }: PartiqlStatement): StatementOperation {
  const [, inserted, tuple = ""] = insert.exec(Statement) ?? [];
  if (inserted !== undefined) {
    const names = tuple.split(",").map((part) => {
      const [, name] = /^\s*'([^']+)'\s*:\s*\?\s*$/.exec(part) ?? [];
      return name ?? unsupported(Statement);
    });
    if (names.length !== Parameters.length) unsupported(Statement);
    const Item = Object.fromEntries(names.map((name, index) => [name, Parameters[index]]));
    return {
      table: inserted,
      action: "PartiQLInsert",
      operation: "PutItem",
      failure: "DuplicateItem",
      input: ([key = ""]) => ({
        TableName: inserted,
        Item,
        ConditionExpression: "attribute_not_exists(#key)",
        ExpressionAttributeNames: { "#key": key },
      }),
    };
  }
  const [, updated, changes = "", where = ""] = update.exec(Statement) ?? [];
  if (updated === undefined || /'/.test(Statement)) return unsupported(Statement);
  return {
    table: updated,
    action: "PartiQLUpdate",
    operation: "UpdateItem",
    failure: "ConditionalCheckFailed",
    input: (keys) => updateInput({ TableName: updated, changes, where, Parameters, keys }),
  };
}

interface UpdateParts {
  TableName: string;
  changes: string;
  where: string;
  Parameters: readonly object[];
  keys: readonly string[];
}

function updateInput({ TableName, changes, where, Parameters, keys }: UpdateParts): object {
  const names: Record<string, string> = {};
  const values: Record<string, object | undefined> = {};
  const expression = (text: string, firstParameter: number) => {
    let parameter = firstParameter;
    return text.replaceAll(/"([^"]+)"|\?/g, (_, name: string | undefined) => {
      if (name !== undefined) {
        const alias = `#n${name.replaceAll(/\W/g, "_")}`;
        names[alias] = name;
        return alias;
      }
      const alias = `:p${parameter}`;
      values[alias] = Parameters[parameter];
      parameter += 1;
      return alias;
    });
  };
  const parts = changes.split(/\s*\b(?=SET |REMOVE )/).filter(Boolean);
  const ofKind = (kind: string) => parts.filter((part) => part.startsWith(`${kind} `));
  const inOrder = [...ofKind("SET"), ...ofKind("REMOVE")];
  if (inOrder.join() !== parts.join()) unsupported(`${changes}: SET must come before REMOVE`);
  const clause = (kind: string) => {
    const some = ofKind(kind).map((part) => part.slice(kind.length + 1).trim());
    return some.length === 0 ? "" : `${kind} ${some.join(", ")}`;
  };
  const used = (text: string) => text.split("?").length - 1;
  // The table's key must come first in the condition.
  let condition = where.trim();
  const firstOfKey = used(changes);
  const Key = Object.fromEntries(
    keys.map((key, index) => {
      const match = /^"([^"]+)"\s*=\s*\?(?:\s+AND\s+|$)/.exec(condition);
      if (match?.[1] !== key) unsupported(`WHERE ${where}: the key must come first`);
      condition = condition.slice(match?.[0].length);
      return [key, Parameters[firstOfKey + index]];
    }),
  );
  const exists = keys.slice(0, 1).map((key) => `attribute_exists("${key}")`);
  const conditions = [...exists, ...(condition === "" ? [] : [condition])].join(" AND ");
  return {
    TableName,
    Key,
    UpdateExpression: expression(`${clause("SET")} ${clause("REMOVE")}`.trim(), 0),
    ConditionExpression: expression(conditions, firstOfKey + keys.length),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

function unsupported(statement: string): never {
  throw new Unsupported(`the local DynamoDB does not support the statement ${statement}`);
}
