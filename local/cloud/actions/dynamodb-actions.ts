import { type PartiqlStatement, readStatement } from "../dynamodb/partiql.ts";
import { type AccessRequest, accessTo } from "../iam/policy.ts";
import { arnOf, type CloudLocation } from "../location.ts";
import { inputOf, operationOf, type ServiceRequest, unsupported } from "../service.ts";

const operations = new Set(
  "GetItem PutItem UpdateItem DeleteItem Query Scan BatchGetItem BatchWriteItem DescribeTable".split(" "),
);

/** Returns the permissions that a request to DynamoDB needs. @throws Unsupported */
export function dynamodbActions(request: ServiceRequest, location: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  const tableArn = (table: string) => arnOf(location, "dynamodb", `table/${table}`);
  if (operation === "BatchExecuteStatement") {
    const { Statements = [] } = inputOf<{ Statements?: PartiqlStatement[] }>(request);
    const read = Statements.map(readStatement);
    const needed = new Set(read.map(({ table, action }) => `${action} ${table}`));
    return [...needed].map((each) => {
      const [action, table = ""] = each.split(" ");
      return accessTo(`dynamodb:${action}`, tableArn(table));
    });
  }
  if (!operations.has(operation)) unsupported("DynamoDB", operation);
  const input = inputOf<DynamodbInput>(request);
  const tables = input.RequestItems === undefined ? [input.TableName ?? ""] : Object.keys(input.RequestItems);
  return tables.map((table) => {
    const arn = table.startsWith("arn:") ? table : tableArn(table);
    const index = input.IndexName === undefined ? "" : `/index/${input.IndexName}`;
    const context = operation === "UpdateItem" ? { "dynamodb:attributes": attributesIn(input) } : {};
    return accessTo(`dynamodb:${operation}`, arn + index, context);
  });
}

interface DynamodbInput {
  TableName?: string;
  IndexName?: string;
  RequestItems?: object;
  Key?: object;
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
}

/** The keywords of expressions. */
const expressionWords =
  /^(SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN|if_not_exists|list_append|attribute_(not_)?exists|attribute_type|begins_with|contains|size)$/i;

/** Returns the attributes of an update: those in its key and its expressions. */
function attributesIn(input: DynamodbInput): string[] {
  const text = `${input.UpdateExpression ?? ""} ${input.ConditionExpression ?? ""}`;
  const names = [...text.matchAll(/(?<![\w:.#])#?[a-z_]\w*/gi)].map(([name]) => name);
  const attributes = names.filter((name) => !expressionWords.test(name));
  return [
    ...Object.keys(input.Key ?? {}),
    ...attributes.map((name) => input.ExpressionAttributeNames?.[name] ?? name),
  ];
}
