import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { RepositoryCheck, RepositoryCheckStore } from "../repository-check/request-check.ts";

/** Operators wait for the result. */
const keptDays = 1;

/** The checks of repositories, in the table of detections: both are asked before a source is added, and forgotten after a day. */
export function repositoryCheckStore(): RepositoryCheckStore {
  const checks = table<{ check?: RepositoryCheck }>({
    variable: "detectionsTable",
    key: (checkId) => ({ detectionId: `check#${checkId}` }),
  });
  return {
    create: (check) =>
      checks.putItem(check.checkId, { check, expiresAt: ttlAfter(check.requestedAt, keptDays) }),
    advance: (check, requestsBefore) =>
      checks.updateIf(
        check.checkId,
        expression`SET check = ${check}`,
        expression`check.checkup.requests = ${requestsBefore}`,
      ),
    get: async (checkId) => (await checks.get(checkId))?.check,
  };
}
