import { variables } from "../shared/names.ts";

/** External servers, which a deployment may lack. */
const optional = /^(TIKA_URL|TRANSLATION_SERVER_URL|SPARQL_(UPDATE_)?ENDPOINT)$/;

/** What functions read when they load, where nothing is deployed: any address will do, and any number as text. */
export const anyEnvironment: Readonly<Record<string, string>> = {
  AWS_REGION: "eu-central-1",
  ...Object.fromEntries(
    Object.values(variables)
      .filter((name) => !optional.test(name))
      .map((name) => [name, /_URL$/.test(name) ? "https://host.example/1" : "1"]),
  ),
};
