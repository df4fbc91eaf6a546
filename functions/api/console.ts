import { optionalVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { apiSender } from "../../shared/console/api-sender.ts";
import { createConsole } from "../../shared/console/create-console.ts";
import { cognitoIssuer } from "../../shared/console/sign-in/cognito-issuer.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { pages } from "../../shared/operations/pages/pages.ts";
import { httpHandler } from "../../shared/runtime/http.ts";
import { errorFields, log } from "../../shared/runtime/log.ts";

export const handler = httpHandler(
  createConsole({
    pages,
    send: apiSender(variable("apiUrl")),
    issuer: cognitoIssuer({
      issuer: variable("tokenIssuer"),
      keysUrl: variable("tokenKeysUrl"),
      signInUrl: variable("signInUrl"),
      clientId: variable("consoleClientId"),
    }),
    origin: variable("apiUrl"),
    clock: systemClock,
    timeZone: variable("timeZone"),
    replayOrigin: optionalVariable("replayOrigin"),
    logFault: (error, path) => log("error", "the page failed", { path, ...errorFields(error) }),
  }),
);
