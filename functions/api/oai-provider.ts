import { variable } from "../../shared/adapters/aws/environment.ts";
import { secrets } from "../../shared/adapters/aws/secrets.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { harvesterKeys } from "../../shared/give-back/routes/harvester-access.ts";
import { oaiSubject } from "../../shared/give-back/routes/oai-routes.ts";
import { changeLogReader } from "../../shared/give-back/stores/change-log-reader.ts";
import { itemContents } from "../../shared/give-back/stores/item-contents.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

/** Gives records and documents to harvesters, by OAI-PMH. */
export const handler = httpHandler(
  createApp([oaiSubject], {
    log: changeLogReader(),
    contents: itemContents(),
    repository: {
      name: variable("repositoryName"),
      id: variable("repositoryId"),
      email: variable("repositoryEmail"),
      baseUrl: `${variable("apiUrl")}/oai`,
    },
    access: variable("harvesters") === "anybody" ? "anybody" : harvesterKeys(secrets(), systemClock),
    clock: systemClock,
  }),
);
