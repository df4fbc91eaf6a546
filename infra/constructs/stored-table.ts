import { RemovalPolicy } from "aws-cdk-lib";
import { type Attribute, AttributeType, Billing, ProjectionType, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { tableNames, variables, writeIdName } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";

/** The ways in which functions use a table, with the required IAM actions. */
const actions = {
  get: "dynamodb:GetItem",
  getMany: "dynamodb:BatchGetItem",
  query: "dynamodb:Query",
  /** Writes whole items. */
  put: "dynamodb:PutItem",
  /** Updates items by key, and creates missing ones. */
  update: "dynamodb:UpdateItem",
  delete: "dynamodb:DeleteItem",
  /** Adds items and changes existing ones, many per call. */
  insertMany: "dynamodb:PartiQLInsert",
  updateMany: "dynamodb:PartiQLUpdate",
} as const;

/** The key of a table in `tableNames`. */
export type TableName = keyof typeof tableNames;

/** A key attribute: its name if it is a string, otherwise its name and type. */
type Key = string | Attribute;

interface TableIndex {
  indexName: string;
  partitionKey: Key;
  sortKey: Key;
  /** The attributes of the index besides its keys; absent: all. */
  holds?: "keys" | string[];
}

export interface StoredTableProps {
  name: TableName;
  partitionKey: Key;
  sortKey?: Key;
  /** Whether items are deleted some time after the time in `expiresAt` (seconds since 1970). */
  expires?: boolean;
  indexes?: TableIndex[];
}

/**
 * A table. A grant permits access and sets the function's environment variable. A deployment that removes the
 * table from the templates does not delete it.
 */
export class StoredTable extends Construct {
  readonly table: TableV2;
  private readonly variable: string;

  constructor(scope: Construct, id: string, props: StoredTableProps) {
    super(scope, id);
    this.variable = variables[`${props.name}Table`];
    this.table = new TableV2(this, "Table", {
      tableName: tableNames[props.name],
      partitionKey: attributeOf(props.partitionKey),
      ...(props.sortKey && { sortKey: attributeOf(props.sortKey) }),
      ...(props.indexes && {
        globalSecondaryIndexes: props.indexes.map(({ indexName, partitionKey, sortKey, holds }) => ({
          indexName,
          partitionKey: attributeOf(partitionKey),
          sortKey: attributeOf(sortKey),
          ...projectionOf(holds),
        })),
      }),
      ...(props.expires && { timeToLiveAttribute: "expiresAt" }),
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: deploymentSettings(this.node).deletionProtection === "on",
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }

  /** @param ways exactly the operations that the function's code uses */
  grant(fn: LambdaFunction, ...ways: (keyof typeof actions)[]): void {
    // `table.grant` would also permit reading the indexes.
    fn.addToRolePolicy(
      new PolicyStatement({ actions: ways.map((way) => actions[way]), resources: [this.table.tableArn] }),
    );
    fn.addEnvironment(this.variable, this.table.tableName);
  }

  /**
   * Permits updates of only these attributes, which must include those of the key. The attribute for the id
   * of the write is always permitted, because each update stores its id in the item.
   */
  grantUpdateOf(fn: LambdaFunction, attributes: string[]): void {
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["dynamodb:UpdateItem"],
        resources: [this.table.tableArn],
        conditions: { "ForAllValues:StringEquals": { "dynamodb:Attributes": [...attributes, writeIdName] } },
      }),
    );
    fn.addEnvironment(this.variable, this.table.tableName);
  }

  /** Permits queries of one index, which is eventually consistent. */
  grantQueryIndex(fn: LambdaFunction, indexName: string): void {
    const index = `${this.table.tableArn}/index/${indexName}`;
    fn.addToRolePolicy(new PolicyStatement({ actions: ["dynamodb:Query"], resources: [index] }));
    fn.addEnvironment(this.variable, this.table.tableName);
  }
}

function attributeOf(key: Key): Attribute {
  return typeof key === "string" ? { name: key, type: AttributeType.STRING } : key;
}

function projectionOf(holds: TableIndex["holds"]): {
  projectionType?: ProjectionType;
  nonKeyAttributes?: string[];
} {
  if (holds === undefined) return {};
  if (holds === "keys") return { projectionType: ProjectionType.KEYS_ONLY };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: holds };
}
