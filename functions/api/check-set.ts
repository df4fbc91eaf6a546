import { checkStore } from "../../shared/adapters/aws/check-set/check-store.ts";
import { publishedSources } from "../../shared/adapters/aws/check-set/published-sources.ts";
import { sparqlEndpoint } from "../../shared/adapters/aws/check-set/sparql.ts";
import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { sparqlPublishedSets } from "../../shared/adapters/sparql/sparql-published-sets.ts";
import { checkSetSubject, renderCheckError } from "../../shared/api/check-set-routes.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { askForRoles } from "../../shared/api/role-guard.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { httpHandler } from "../../shared/runtime/http.ts";
import { log } from "../../shared/runtime/log.ts";

const sparql = sparqlEndpoint();
const noEndpoint = "no SPARQL endpoint is configured: the register of sources says what is published";

/** Checks OAI-PMH sets. */
export const handler = httpHandler(
  createApp(askForRoles([checkSetSubject], { admitsAnybody: true }), {
    checks: checkStore(),
    published: sparql ? sparqlPublishedSets(sparql) : publishedSources(() => log("info", noEndpoint)),
    requests: requestsQueue(),
    limits: { perCaller: numberVariable("checksPerCaller"), inTotal: numberVariable("checksInTotal") },
    clock: systemClock,
  }),
  { renderError: renderCheckError },
);
