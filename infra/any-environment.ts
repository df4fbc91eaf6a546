import { variables } from "../shared/names.ts";

/** Matches the variables of external servers, which a deployment may lack. */
const optional = /^(TIKA_URL|TRANSLATION_SERVER_URL|SPARQL_(UPDATE_)?ENDPOINT)$/;

/**
 * Values for the variables that functions read when they load, for use where nothing is deployed. Any address
 * and any number is suitable.
 */
export const anyEnvironment: Readonly<Record<string, string>> = {
  AWS_REGION: "eu-central-1",
  ...Object.fromEntries(
    Object.values(variables)
      .filter((name) => !optional.test(name))
      .map((name) => [name, /_URL$/.test(name) ? "https://host.example/1" : "1"]),
  ),
};
