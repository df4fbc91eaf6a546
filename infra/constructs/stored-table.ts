import { RemovalPolicy } from "aws-cdk-lib";
import { type Attribute, Billing, type TablePropsV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Construct } from "constructs";
import { variables } from "../../shared/names.ts";

/** What functions do with a table, and the action that it takes. */
const actions = {
  get: "dynamodb:GetItem",
  getMany: "dynamodb:BatchGetItem",
  query: "dynamodb:Query",
  /** Whole items. */
  put: "dynamodb:PutItem",
  /** Changes to items by key; creates them where there are none. */
  update: "dynamodb:UpdateItem",
  delete: "dynamodb:DeleteItem",
} as const;

interface StoredTableProps {
  tableName: string;
  variable: keyof typeof variables;
  partitionKey: Attribute;
  sortKey?: Attribute;
  /** Items are deleted some time after the time in `expiresAt` (seconds since 1970). */
  expires?: boolean;
  indexes?: TablePropsV2["globalSecondaryIndexes"];
}

/** A table whose grants both permit and name it to the function. Nothing deletes it but a person. */
export class StoredTable extends Construct {
  readonly table: TableV2;
  private readonly variable: string;

  constructor(scope: Construct, id: string, props: StoredTableProps) {
    super(scope, id);
    this.variable = variables[props.variable];
    this.table = new TableV2(this, "Table", {
      tableName: props.tableName,
      partitionKey: props.partitionKey,
      ...(props.sortKey && { sortKey: props.sortKey }),
      ...(props.indexes && { globalSecondaryIndexes: props.indexes }),
      ...(props.expires && { timeToLiveAttribute: "expiresAt" }),
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  /** @param ways all that the function's code does with the table, and no other */
  grant(fn: LambdaFunction, ...ways: (keyof typeof actions)[]): void {
    // Not `table.grant`, which lets the indexes be read too.
    fn.addToRolePolicy(
      new PolicyStatement({ actions: ways.map((way) => actions[way]), resources: [this.table.tableArn] }),
    );
    fn.addEnvironment(this.variable, this.table.tableName);
  }

  /** Changes that name no other attributes than these; the key's are among them. */
  grantUpdateOf(fn: LambdaFunction, attributes: string[]): void {
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["dynamodb:UpdateItem"],
        resources: [this.table.tableArn],
        conditions: { "ForAllValues:StringEquals": { "dynamodb:Attributes": attributes } },
      }),
    );
    fn.addEnvironment(this.variable, this.table.tableName);
  }

  /** Queries of one index, which lags a little behind the table. */
  grantQueryIndex(fn: LambdaFunction, indexName: string): void {
    const index = `${this.table.tableArn}/index/${indexName}`;
    fn.addToRolePolicy(new PolicyStatement({ actions: ["dynamodb:Query"], resources: [index] }));
    fn.addEnvironment(this.variable, this.table.tableName);
  }
}
