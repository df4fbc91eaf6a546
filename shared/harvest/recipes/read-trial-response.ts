// Input: the response with the page of a trial. Output: the stored effect of the recipe on the page.
// Called by read-detection-response.ts.

import { parseInput } from "../../core/schema-problems.ts";
import { parseRecipe } from "../../formats/page/recipes/parse-recipe.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import { describeUnusableOutcome, type InboundResponse, isUsableAnswer } from "../../web/request/response.ts";
import { loadBody } from "../load-body.ts";
import { type RecipeTrialStore, recipeTrialContext } from "./recipe-trial.ts";
import { tryRecipe } from "./try-recipe.ts";

/** Reads the page of a trial, or says why there is none. */
export async function readTrialResponse(
  { request, outcome }: InboundResponse,
  ports: { recipeTrials: Pick<RecipeTrialStore, "finish">; bodies: BodyReader },
): Promise<void> {
  const { trialId, toml } = parseInput(recipeTrialContext, request.context);
  const trial = isUsableAnswer(outcome)
    ? tryRecipe(
        { id: trialId, recipe: parseRecipe(toml) },
        {
          bytes: await loadBody(outcome, ports.bodies),
          url: outcome.url,
          contentType: outcome.headers["content-type"],
        },
      )
    : { isForPage: false, fields: [], problems: [describeUnusableOutcome(outcome)] };
  await ports.recipeTrials.finish(trialId, trial);
}
