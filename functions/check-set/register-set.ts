import { harvestedSet } from "../../shared/adapters/aws/check-set/published-sources.ts";
import { sparqlEndpoint } from "../../shared/adapters/aws/check-set/sparql.ts";
import { registerSet, setRegistration } from "../../shared/check-set/register-set.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Registers harvested sets as published. */
export const handler = sqsHandler({
  message: setRegistration,
  services: () => ({ sparql: sparqlEndpoint(), harvestedSet: harvestedSet() }),
  handle: registerSet,
});
