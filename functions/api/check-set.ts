import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { askForRoles } from "../../shared/api/role-guard.ts";
import { checkSetSubject, renderCheckError } from "../../shared/check-set/routes/check-set-routes.ts";
import { checkStore } from "../../shared/check-set/stores/check-store.ts";
import { publishedSources } from "../../shared/check-set/stores/published-sources.ts";
import { sparqlEndpoint } from "../../shared/check-set/stores/sparql.ts";
import { sparqlPublishedSets } from "../../shared/check-set/stores/sparql-published-sets.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { httpHandler } from "../../shared/runtime/http.ts";
import { log } from "../../shared/runtime/log.ts";

const sparql = sparqlEndpoint();
const noEndpoint =
  "no SPARQL endpoint is configured, so the register of sources determines which sets are published";

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
