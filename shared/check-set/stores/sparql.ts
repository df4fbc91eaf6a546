import * as z from "zod";
import { optionalUrlVariable, variable } from "../../adapters/aws/environment.ts";
import { secrets } from "../../adapters/aws/secrets.ts";
import { createSparqlEndpoint, type SparqlEndpoint } from "../../adapters/sparql/sparql-endpoint.ts";
import { ConfigError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import { secretNames } from "../../names.ts";

const loginSchema = z.object({ user: z.string().min(1), password: z.string() });

/**
 * Returns the SPARQL endpoint of this deployment.
 * @returns undefined when none is configured
 */
export function sparqlEndpoint(): SparqlEndpoint | undefined {
  const queryUrl = optionalUrlVariable("sparqlEndpoint");
  if (queryUrl === undefined) return undefined;
  return createSparqlEndpoint({
    queryUrl,
    updateUrl: optionalUrlVariable("sparqlUpdateEndpoint"),
    login: variable("sparqlLogin") === "yes" ? readLogin : undefined,
  });
}

/**
 * Reads the login.
 * @throws ConfigError when the secret is missing or not `{"user": "…", "password": "…"}`
 */
async function readLogin(): Promise<z.output<typeof loginSchema>> {
  const parsed = loginSchema.safeParse(parseJson(await secrets().secret(secretNames.sparqlLogin)));
  if (parsed.success) return parsed.data;
  throw new ConfigError(`the secret ${secretNames.sparqlLogin} must be {"user": "…", "password": "…"}`);
}
