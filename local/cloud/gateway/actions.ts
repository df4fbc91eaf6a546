import type { CloudLocation } from "../cloudformation/resources.ts";
import { type PartiqlStatement, readStatement } from "../dynamodb/partiql.ts";
import type { AccessRequest } from "../iam/policy.ts";
import { s3Actions } from "../s3/s3-actions.ts";
import { type ServiceRequest, Unsupported } from "../service.ts";

/** The location of resources, and the verified senders of SES. */
export interface ActionContext extends CloudLocation {
  /** The addresses and domains of the templates. */
  readonly identities: readonly string[];
}

/** Each action with its resource. All must be permitted. */
type ActionsOf = (request: ServiceRequest, world: ActionContext) => readonly AccessRequest[];

const actionsByService: Readonly<Record<string, ActionsOf>> = {
  sqs: sqsActions,
  dynamodb: dynamodbActions,
  s3: s3Actions,
  scheduler: schedulerActions,
  events: eventsActions,
  ses: sesActions,
  lambda: lambdaActions,
  secretsmanager: secretsActions,
  logs: logsActions,
};

/**
 * The permissions that a request needs.
 *
 * @throws Unsupported for a service or an operation that the local cloud does not have.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/reference_policies_actions-resources-contextkeys.html
 */
export function requiredAccess(
  service: string,
  request: ServiceRequest,
  world: ActionContext,
): readonly AccessRequest[] {
  const actionsOf = actionsByService[service];
  if (actionsOf === undefined) throw new Unsupported(`the local cloud has no service ${service}`);
  return actionsOf(request, world);
}

/** Batch operations need the permission of the single operation. */
const sqsOperations: Readonly<Record<string, string>> = {
  SendMessage: "SendMessage",
  SendMessageBatch: "SendMessage",
  ReceiveMessage: "ReceiveMessage",
  DeleteMessage: "DeleteMessage",
  DeleteMessageBatch: "DeleteMessage",
  ChangeMessageVisibility: "ChangeMessageVisibility",
  ChangeMessageVisibilityBatch: "ChangeMessageVisibility",
  GetQueueAttributes: "GetQueueAttributes",
  GetQueueUrl: "GetQueueUrl",
  PurgeQueue: "PurgeQueue",
  StartMessageMoveTask: "StartMessageMoveTask",
  ListMessageMoveTasks: "ListMessageMoveTasks",
};

function sqsActions(request: ServiceRequest, { region, account }: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  const action = sqsOperations[operation] ?? unsupported("SQS", operation);
  const input = parseBody<{ QueueUrl?: string; QueueName?: string; SourceArn?: string }>(request);
  const name =
    input.QueueName ?? input.QueueUrl?.split("/").at(-1) ?? input.SourceArn?.split(":").at(-1) ?? "";
  return [access(`sqs:${action}`, `arn:aws:sqs:${region}:${account}:${name}`)];
}

const dynamodbOperations = new Set(
  "GetItem PutItem UpdateItem DeleteItem Query Scan BatchGetItem BatchWriteItem DescribeTable".split(" "),
);

function dynamodbActions(request: ServiceRequest, { region, account }: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  if (operation === "BatchExecuteStatement") {
    const { Statements = [] } = parseBody<{ Statements?: PartiqlStatement[] }>(request);
    const read = Statements.map(readStatement);
    const needed = new Set(read.map(({ table, action }) => `${action} ${table}`));
    return [...needed].map((each) => {
      const [action, table] = each.split(" ");
      return access(`dynamodb:${action}`, `arn:aws:dynamodb:${region}:${account}:table/${table}`);
    });
  }
  if (!dynamodbOperations.has(operation)) unsupported("DynamoDB", operation);
  const input = parseBody<DynamodbInput>(request);
  const tables = input.RequestItems === undefined ? [input.TableName ?? ""] : Object.keys(input.RequestItems);
  return tables.map((table) => {
    const arn = table.startsWith("arn:") ? table : `arn:aws:dynamodb:${region}:${account}:table/${table}`;
    const index = input.IndexName === undefined ? "" : `/index/${input.IndexName}`;
    const context = operation === "UpdateItem" ? { "dynamodb:attributes": attributesIn(input) } : {};
    return access(`dynamodb:${operation}`, arn + index, context);
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

/** Keywords of expressions. */
const expressionWords =
  /^(SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN|if_not_exists|list_append|attribute_(not_)?exists|attribute_type|begins_with|contains|size)$/i;

/** The attributes of an update: those of its key and expressions. */
function attributesIn(input: DynamodbInput): string[] {
  const text = `${input.UpdateExpression ?? ""} ${input.ConditionExpression ?? ""}`;
  const names = [...text.matchAll(/(?<![\w:.#])#?[a-z_]\w*/gi)].map(([name]) => name);
  const attributes = names.filter((name) => !expressionWords.test(name));
  return [
    ...Object.keys(input.Key ?? {}),
    ...attributes.map((name) => input.ExpressionAttributeNames?.[name] ?? name),
  ];
}

const schedulerOperations: Readonly<Record<string, string>> = {
  GET: "GetSchedule",
  POST: "CreateSchedule",
  PUT: "UpdateSchedule",
  DELETE: "DeleteSchedule",
};

function schedulerActions(request: ServiceRequest, { region, account }: CloudLocation): AccessRequest[] {
  const [collection, name] = request.path.split("/").filter(Boolean).map(decodeURIComponent);
  if (collection !== "schedules") unsupported("Scheduler", `${request.method} ${request.path}`);
  if (name === undefined) return [access("scheduler:ListSchedules", "*")];
  const operation = schedulerOperations[request.method] ?? unsupported("Scheduler", request.method);
  const input = parseBody<{ GroupName?: string; Target?: { RoleArn?: string } }>(request);
  const group = input.GroupName ?? request.query.get("groupName") ?? "default";
  const arn = `arn:aws:scheduler:${region}:${account}:schedule/${group}/${name}`;
  const role = input.Target?.RoleArn;
  return [
    access(`scheduler:${operation}`, arn),
    ...(role === undefined
      ? []
      : [access("iam:PassRole", role, { "iam:passedtoservice": "scheduler.amazonaws.com" })]),
  ];
}

function eventsActions(request: ServiceRequest, { region, account }: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  if (operation !== "PutEvents") unsupported("EventBridge", operation);
  const { Entries = [] } = parseBody<{
    Entries?: { EventBusName?: string; Source?: string; DetailType?: string }[];
  }>(request);
  return Entries.map(({ EventBusName = "default", Source = "", DetailType = "" }) =>
    access(
      "events:PutEvents",
      `arn:aws:events:${region}:${account}:event-bus/${EventBusName.split("/").at(-1)}`,
      {
        "events:source": Source,
        "events:detail-type": DetailType,
      },
    ),
  );
}

/** The operation SendEmail needs the permission SendRawEmail if the mail is raw MIME. */
function sesActions(
  request: ServiceRequest,
  { region, account, identities }: ActionContext,
): AccessRequest[] {
  if (request.path !== "/v2/email/outbound-emails") unsupported("SES", `${request.method} ${request.path}`);
  const input = parseBody<{ FromEmailAddress?: string; Content?: { Raw?: unknown } }>(request);
  const address = bareAddress(input.FromEmailAddress ?? "");
  const identity = identityOf(address, identities) ?? address;
  return [
    access(
      input.Content?.Raw === undefined ? "ses:SendEmail" : "ses:SendRawEmail",
      `arn:aws:ses:${region}:${account}:identity/${identity}`,
      { "ses:fromaddress": address },
    ),
  ];
}

/** The path of the operations of Lambda on event source mappings. */
export const mappingsPath = "/2015-03-31/event-source-mappings";

function lambdaActions(request: ServiceRequest, { region, account }: CloudLocation): AccessRequest[] {
  if (request.path.startsWith(mappingsPath)) {
    const action = request.method === "GET" ? "ListEventSourceMappings" : "UpdateEventSourceMapping";
    const uuid = request.path.slice(mappingsPath.length).replaceAll("/", "") || "*";
    return [access(`lambda:${action}`, `arn:aws:lambda:${region}:${account}:event-source-mapping:${uuid}`)];
  }
  const name = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.path)?.[1];
  if (name === undefined) return unsupported("Lambda", `${request.method} ${request.path}`);
  const functionName = decodeURIComponent(name).split(":").at(-1);
  return [access("lambda:InvokeFunction", `arn:aws:lambda:${region}:${account}:function:${functionName}`)];
}

function logsActions(request: ServiceRequest, { region, account }: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  if (operation !== "FilterLogEvents") unsupported("CloudWatch Logs", operation);
  const { logGroupName = "" } = parseBody<{ logGroupName?: string }>(request);
  return [access("logs:FilterLogEvents", `arn:aws:logs:${region}:${account}:log-group:${logGroupName}:*`)];
}

/** On AWS, a secret's ARN ends in six random characters. Policies must allow for them. */
function secretsActions(request: ServiceRequest, { region, account }: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  if (operation !== "GetSecretValue") unsupported("Secrets Manager", operation);
  const { SecretId = "" } = parseBody<{ SecretId?: string }>(request);
  const arn = `arn:aws:secretsmanager:${region}:${account}:secret:${SecretId}-Abc123`;
  return [access("secretsmanager:GetSecretValue", arn)];
}

/** The verified identity that covers an address: the address itself, else its domain. */
export function identityOf(address: string, identities: readonly string[]): string | undefined {
  const domain = address.split("@").at(-1)?.toLowerCase();
  return identities.find((entry) => entry === address) ?? identities.find((entry) => entry === domain);
}

/** `Ingather <reports@example.org>` → `reports@example.org`. */
export function bareAddress(from: string): string {
  return (/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from).trim();
}

/** The operation's name in the X-Amz-Target header of the AWS JSON protocols. */
export function operationOf({ headers }: ServiceRequest): string {
  return (
    String(headers["x-amz-target"] ?? "")
      .split(".")
      .at(-1) ?? ""
  );
}

function access(action: string, resource: string, context: AccessRequest["context"] = {}): AccessRequest {
  return { action, resource, context };
}

function parseBody<Input>({ body }: ServiceRequest): Input {
  return JSON.parse(body.toString() || "{}") as Input;
}

function unsupported(service: string, operation: string): never {
  throw new Unsupported(`the local cloud's ${service} has no operation ${operation}`);
}
