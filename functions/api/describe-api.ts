import { networkFlag } from "../../shared/adapters/aws/gate/network-store.ts";
import { answerUnmatched } from "../../shared/api/answer-unmatched.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { descriptionSubject } from "../../shared/api/description-routes.ts";
import { apiVersion, openApiDocument } from "../../shared/api/open-api.ts";
import { routes } from "../../shared/api/routes.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

/** Describes the API, and answers what no route serves. */
export const handler = httpHandler(
  createApp([descriptionSubject], {
    document: openApiDocument,
    version: apiVersion,
    network: networkFlag(),
  }).all("*", (context) => answerUnmatched(context, routes)),
);
