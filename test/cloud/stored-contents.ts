import { paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { paginateScan } from "@aws-sdk/lib-dynamodb";
import { dynamodb } from "../../shared/adapters/aws/dynamodb.ts";
import { s3 } from "../../shared/adapters/aws/s3-sdk.ts";
import { bucketNames, tableNames } from "../../shared/names.ts";

/**
 * Everything that is kept: the items of all tables, and the keys and tags of all objects. When an item expires is left
 * out: it is put off by what is written again, and so goes by the clock. So is the id of its last write, which each has
 * again.
 */
export async function storedContents(): Promise<Record<string, unknown>> {
  const stored: Record<string, unknown> = {};
  for (const TableName of Object.values(tableNames)) {
    stored[TableName] = inOrder(
      (await itemsOf(TableName)).map(({ expiresAt: _later, writeId: _last, ...item }) => item),
    );
  }
  for (const name of Object.values(bucketNames)) {
    const Bucket = name("000000000000", process.env.AWS_REGION ?? "");
    stored[Bucket] = await objectsOf(Bucket);
  }
  return stored;
}

export async function itemsOf(TableName: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) items.push(...Items);
  return inOrder(items);
}

function inOrder(items: Record<string, unknown>[]): Record<string, unknown>[] {
  return items.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}

async function objectsOf(Bucket: string): Promise<string[]> {
  const objects: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket })) {
    objects.push(...Contents.map(({ Key, ETag }) => `${Key} ${ETag}`));
  }
  return objects.sort();
}
