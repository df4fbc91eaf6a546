import { optionalUrlVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { chooseLanguageDetector } from "../../shared/adapters/tika/choose-detector.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { reconversionStore } from "../../shared/deliver/stores/reconversion-store.ts";
import { validationRuleStore } from "../../shared/deliver/stores/validation-rule-store.ts";
import { reconvertRecords } from "../../shared/deliver/updates/reconvert.ts";
import { stopReconversion } from "../../shared/deliver/updates/request-reconversion.ts";
import { reconvertWith } from "../../shared/harvest/article/reconvert-record.ts";
import { lookupStore } from "../../shared/harvest/stores/lookup-store.ts";
import { pageStore } from "../../shared/harvest/stores/page-store.ts";
import { recipeStore } from "../../shared/harvest/stores/recipe-store.ts";
import { stageRequest } from "../../shared/records/runs/stages.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Converts delivered records again, and compares them with what was delivered. */
export const handler = sqsHandler({
  message: stageRequest,
  services: () => {
    const runs = runStore();
    return {
      runs,
      archive: archiveStore(),
      records: recordStore(),
      rules: validationRuleStore(),
      reconversions: reconversionStore(),
      partsQueue: messageQueue("reconversionsQueue"),
      clock: systemClock,
      reconvert: reconvertWith({
        // Not those of the last minute: an operator has just changed the source or a recipe.
        sources: sourceStore(),
        recipes: recipeStore(),
        runs,
        pages: pageStore(),
        documents: documentStore(),
        lookups: lookupStore(),
        requests: requestsQueue(),
        detectLanguage: chooseLanguageDetector(optionalUrlVariable("tikaUrl")),
        clock: systemClock,
        timeZone: variable("timeZone"),
      }),
    };
  },
  handle: (request, services, { receiveCount }) =>
    reconvertRecords(request, { ...services, tries: receiveCount }),
  settle: stopReconversion,
});
