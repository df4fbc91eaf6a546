import { networkFlag } from "../../shared/adapters/gate/network-store.ts";
import { answerUnmatched } from "../../shared/api/answer-unmatched.ts";
import { apiVersion } from "../../shared/api/api-version.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { descriptionSubject } from "../../shared/api/description-routes.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

/** Describes the API, and responds to requests without a route. Only this function loads all routes. */
export const handler = httpHandler(
  createApp([descriptionSubject], {
    document: async () => {
      const { openApiDocument } = await import("../../shared/api/open-api.ts");
      return openApiDocument((await import("../../shared/operations/routes/routes.ts")).subjects);
    },
    version: apiVersion,
    network: networkFlag(),
  }).all("*", async (context) =>
    answerUnmatched(context, (await import("../../shared/operations/routes/routes.ts")).routes),
  ),
);
