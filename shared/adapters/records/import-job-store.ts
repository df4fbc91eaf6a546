import { objectKeys } from "../../names.ts";
import type { ImportJob, ImportJobStore } from "../../records/sources/conf/import-job.ts";
import { getItem, putIf, updateIf } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { getJson, putJson } from "../aws/s3.ts";

const kind = "import";

/** Jobs in the table of the configuration, and the files that they import in the bucket of uploads. */
export function importJobStore(): ImportJobStore {
  const TableName = variable("configurationTable");
  return {
    async create(job, input) {
      const json = JSON.stringify(input);
      await putJson(variable("documentUploadsBucket"), objectKeys.importedConfiguration(job.importId), json);
      await putIf({
        TableName,
        Item: { kind, id: job.importId, job },
        ConditionExpression: "attribute_not_exists(id)",
      });
    },
    async get(id) {
      const item = await getItem<{ job: ImportJob }>({ TableName, Key: { kind, id }, ConsistentRead: true });
      return item?.job;
    },
    input: (id) => getJson(variable("documentUploadsBucket"), objectKeys.importedConfiguration(id)),
    async update(id, fields) {
      const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
      await updateIf({
        TableName,
        Key: { kind, id },
        UpdateExpression: `SET ${entries.map((_, n) => `job.#f${n} = :f${n}`).join(", ")}`,
        ConditionExpression: "job.#state IN (:waiting, :running, :stopped)",
        ExpressionAttributeNames: {
          "#state": "state",
          ...Object.fromEntries(entries.map(([name], n) => [`#f${n}`, name])),
        },
        ExpressionAttributeValues: {
          ":waiting": "waiting",
          ":running": "running",
          ":stopped": "stopped",
          ...Object.fromEntries(entries.map(([, value], n) => [`:f${n}`, value])),
        },
      });
    },
  };
}
