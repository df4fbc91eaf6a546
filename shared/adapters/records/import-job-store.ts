import { objectKeys } from "../../names.ts";
import type { ImportJob, ImportJobStore } from "../../records/sources/conf/import-job.ts";
import { variable } from "../aws/environment.ts";
import { assignments, expression, list } from "../aws/expression.ts";
import { getJson, putJson } from "../aws/s3.ts";
import { table } from "../aws/table.ts";

/** Stores jobs in the table of the configuration, and the files that they import in the bucket of uploads. */
export function importJobStore(): ImportJobStore {
  const imports = table<{ job: ImportJob }>({
    variable: "configurationTable",
    key: (id) => ({ kind: "import", id }),
  });
  return {
    async create(job, input) {
      const json = JSON.stringify(input);
      await putJson(variable("documentUploadsBucket"), objectKeys.importedConfiguration(job.importId), json);
      await imports.putNew(job.importId, { job });
    },
    get: async (id) => (await imports.get(id))?.job,
    input: (id) => getJson(variable("documentUploadsBucket"), objectKeys.importedConfiguration(id)),
    async update(id, fields) {
      await imports.updateIf(
        id,
        expression`SET ${assignments(fields, "job")}`,
        expression`job.state IN (${list(["waiting", "running", "stopped"])})`,
      );
    },
  };
}
