import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { group, type NewGroup } from "../sources/group.ts";
import { type NewSource, source } from "../sources/source.ts";
import { dynamodb } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** Writes configuration; for operators, not for the functions of a run. Throws a ZodError for what is not valid. */
export function configurationWriter() {
  const TableName = variable("configurationTable");
  const put = async (kind: string, id: string, value: unknown) => {
    await dynamodb.send(new PutCommand({ TableName, Item: { kind, id, value } }));
  };
  return {
    saveSource: (value: NewSource) => put("source", value.sourceId, source.parse(value)),
    saveGroup: (value: NewGroup) => put("group", value.groupId, group.parse(value)),
  };
}
