import { isDeepStrictEqual } from "node:util";
import { ConfigError } from "../../../shared/core/errors.ts";
import type { Resolver } from "../cloudformation/resolver.ts";
import { callJson, type Service } from "../service.ts";

interface Key {
  readonly AttributeName: string;
  readonly KeyType: "HASH" | "RANGE";
}

interface Index {
  readonly IndexName: string;
  readonly KeySchema: readonly Key[];
  readonly Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
}

/** The fields of a table that templates and the API share. */
interface TableShape {
  readonly KeySchema: readonly Key[];
  readonly AttributeDefinitions: readonly { AttributeName: string; AttributeType: string }[];
  readonly GlobalSecondaryIndexes?: readonly Index[];
  readonly LocalSecondaryIndexes?: readonly Index[];
}

/**
 * Creates missing tables. Capacity, encryption, backups, replicas and expiry have no effect. A table that is
 * removed from the templates keeps its items.
 *
 * @throws ConfigError if the keys or indexes of an existing table have changed.
 */
export async function provisionTables(resolver: Resolver, service: Service): Promise<void> {
  const tables = ["AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable"].flatMap((type) =>
    resolver.resourcesOfType<TableShape & { StreamSpecification?: unknown }>(type),
  );
  await Promise.all(
    tables.map(async ({ name, properties }) => {
      if (properties.StreamSpecification !== undefined) {
        throw new ConfigError(`${name}: the local cloud has no DynamoDB streams`);
      }
      const known = await describe(name, service);
      if (known === undefined) await create(name, properties, service);
      else if (!isDeepStrictEqual(shape(known), shape(properties))) {
        throw new ConfigError(
          `${name}: its keys or indexes have changed, and the emulator cannot change a table. ` +
            "Delete the state folder to start again.",
        );
      }
    }),
  );
}

async function describe(name: string, service: Service): Promise<TableShape | undefined> {
  try {
    const { Table } = await callJson<{ Table: TableShape }>(service, "DynamoDB_20120810.DescribeTable", {
      TableName: name,
    });
    return Table;
  } catch (error) {
    if ((error as Error).name === "ResourceNotFoundException") return undefined;
    throw error;
  }
}

async function create(name: string, table: TableShape, service: Service): Promise<void> {
  const { keys, attributes, globalIndexes, localIndexes } = shape(table);
  await callJson(service, "DynamoDB_20120810.CreateTable", {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keys,
    AttributeDefinitions: attributes,
    ...(globalIndexes.length > 0 && { GlobalSecondaryIndexes: globalIndexes }),
    ...(localIndexes.length > 0 && { LocalSecondaryIndexes: localIndexes }),
  });
}

/** Returns the fields that cannot be changed, in a fixed order: the hash key first, the others by name. */
function shape(table: TableShape) {
  const keys = (schema: readonly Key[]) =>
    schema
      .map(({ AttributeName, KeyType }) => ({ AttributeName, KeyType }))
      .sort((a, b) => a.KeyType.localeCompare(b.KeyType));
  const indexes = (list: readonly Index[] = []) =>
    list
      .map(({ IndexName, KeySchema, Projection: { ProjectionType, NonKeyAttributes } }) => ({
        IndexName,
        KeySchema: keys(KeySchema),
        Projection: {
          ProjectionType,
          ...(NonKeyAttributes !== undefined && { NonKeyAttributes: NonKeyAttributes.toSorted() }),
        },
      }))
      .sort((a, b) => a.IndexName.localeCompare(b.IndexName));
  return {
    keys: keys(table.KeySchema),
    attributes: table.AttributeDefinitions.map(({ AttributeName, AttributeType }) => ({
      AttributeName,
      AttributeType,
    })).sort((a, b) => a.AttributeName.localeCompare(b.AttributeName)),
    globalIndexes: indexes(table.GlobalSecondaryIndexes),
    localIndexes: indexes(table.LocalSecondaryIndexes),
  };
}
