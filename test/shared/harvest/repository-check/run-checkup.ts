import {
  beginCheckup,
  type CheckedRepository,
  type Checkup,
} from "../../../../shared/harvest/repository-check/checkup.ts";
import {
  followCheckup,
  nextCheckRequest,
} from "../../../../shared/harvest/repository-check/follow-checkup.ts";
import type { Answer, Script } from "../../../local/cli/harvest/scripted-repository.ts";
import { now } from "./model-repository.ts";

/** Runs a check over a script, with its state as JSON between two requests. */
export function runCheckup(script: Script, asked: Partial<CheckedRepository> = {}): Checkup {
  const baseUrl = "https://r.example/oai";
  let checkup = beginCheckup({ baseUrl, metadataPrefix: "oai_dc", pages: 5, ...asked });
  const asks: string[] = [];
  for (;;) {
    const request = nextCheckRequest(checkup);
    if (request === undefined) return checkup;
    const args = "body" in request ? new URLSearchParams(request.body) : new URL(request.url).searchParams;
    asks.push(request.url);
    if (asks.length > 500) throw new Error("the check has no end");
    const answer = script(Object.fromEntries(args), asks.filter((each) => each === request.url).length);
    const response = responseOf(request.url, typeof answer === "string" ? { body: answer } : answer);
    checkup = JSON.parse(JSON.stringify(followCheckup(checkup, response, now)));
  }
}

function responseOf(url: string, { status = 200, headers = {}, body = "" }: Answer) {
  return {
    outcome: {
      type: "answered" as const,
      status,
      url: headers.location ?? url,
      hops:
        headers.location === undefined
          ? [{ url, status }]
          : [
              { url, status: 301 },
              { url: headers.location, status },
            ],
      headers: { "content-type": "text/xml", ...headers },
      bodyKey: "b",
      elapsedMs: 1,
    },
    body: Buffer.from(body),
  };
}
