import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { byUnloggedIndex, collectionsBySuppressionIndex, scheduleNames } from "../../shared/names.ts";
import { DeployedFunction, timeouts } from "../constructs/deployed-function.ts";
import { FunctionSchedule } from "../constructs/function-schedule.ts";
import type { StorageStack } from "./storage.ts";

/** How often changes are logged, and so the longest time before harvesters see them. */
const logInterval = Duration.minutes(1);

interface GiveBackStackProps extends StackProps {
  storage: StorageStack;
}

/** The change log, from which harvesters of Ingather read. The API has the function that gives them the records. */
export class GiveBackStack extends Stack {
  constructor(scope: Construct, id: string, props: GiveBackStackProps) {
    super(scope, id, props);
    const { storage } = props;
    const fn = new DeployedFunction(this, "LogChanges", {
      file: "log-changes",
      description: "Logs the changes of records and documents, in the order in which harvesters see them",
      timeout: timeouts.start,
    });
    storage.changes.grant(fn, "get", "query", "put", "delete", "insertMany", "updateMany");
    storage.leases.grant(fn, "get", "put", "delete");
    for (const table of [storage.records, storage.documents]) {
      table.grant(fn, "getMany");
      table.grantQueryIndex(fn, byUnloggedIndex);
    }
    storage.records.grantUpdateOf(fn, ["recordId", "unloggedIn", "unlogged"]);
    storage.documents.grantUpdateOf(fn, ["sourceId", "documentId", "unloggedIn", "unlogged"]);
    storage.collections.grant(fn, "query");
    storage.collections.grantQueryIndex(fn, collectionsBySuppressionIndex);
    new FunctionSchedule(this, "Log", {
      fn,
      scheduleName: scheduleNames.logChanges,
      when: { every: logInterval },
      deadLetters: storage.scheduleDeadLetters,
      alarm: {
        errors: 10,
        period: Duration.minutes(15),
        summary: "Changes of records are not logged, so harvesters do not see them.",
        runbook: "changes-not-logged",
      },
    });
  }
}
