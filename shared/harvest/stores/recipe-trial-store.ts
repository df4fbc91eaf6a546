import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { RecipeTrialStore, RequestedTrial } from "../recipes/recipe-trial.ts";

/** The retention in days. One day is enough, because operators wait for the result. */
const keptDays = 1;

/** The trials of recipes, which are stored beside the detections, because both are short-lived. */
export function recipeTrialStore(): RecipeTrialStore {
  const trials = table<RequestedTrial>({
    variable: "detectionsTable",
    key: (trialId) => ({ detectionId: `recipe-${trialId}` }),
    hidden: ["detectionId", "expiresAt"],
  });
  return {
    create: (trial) =>
      trials.putItem(trial.trialId, { ...trial, expiresAt: ttlAfter(trial.requestedAt, keptDays) }),
    async finish(trialId, trial) {
      await trials.updateIf(
        trialId,
        expression`SET trial = if_not_exists(trial, ${trial})`,
        expression`attribute_exists(detectionId)`,
      );
    },
    get: (trialId) => trials.get(trialId),
  };
}
