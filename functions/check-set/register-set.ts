import { registerSet, setRegistration } from "../../shared/check-set/register-set.ts";
import { harvestedSet } from "../../shared/check-set/stores/published-sources.ts";
import { sparqlEndpoint } from "../../shared/check-set/stores/sparql.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Registers harvested sets as published. */
export const handler = sqsHandler({
  message: setRegistration,
  services: () => ({ sparql: sparqlEndpoint(), harvestedSet: harvestedSet() }),
  handle: registerSet,
});
