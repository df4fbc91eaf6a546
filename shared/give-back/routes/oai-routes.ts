import type { Context } from "hono";
import { compress } from "hono/compress";
import { problem, refuse } from "../../api/answer.ts";
import { type RouteAnswer, routesOver, type Subject } from "../../api/route.ts";
import { answerRequest } from "../protocol/answer-request.ts";
import type { ProviderPorts } from "../protocol/provider-ports.ts";
import { admitsHarvester, type HarvesterAccess } from "./harvester-access.ts";

interface OaiPorts extends ProviderPorts {
  access: HarvesterAccess;
}

const route = routesOver<OaiPorts>();

const answers: Record<number, RouteAnswer> = {
  200: {
    description: "The response, or an error of the protocol",
    alternatives: { "text/xml": "An `OAI-PMH` element" },
  },
  401: {
    ...problem("The deployment requires the key of a harvester"),
    headers: { "WWW-Authenticate": "`Basic`: the name and the key of the harvester" },
  },
};

/** Answers with the parameters of a request. */
function answering(read: (context: Context) => Promise<string>) {
  return (ports: OaiPorts) => async (context: Context) => {
    if (!(await admitsHarvester(ports.access, context.req.header("authorization")))) {
      context.header("WWW-Authenticate", 'Basic realm="OAI-PMH", charset="UTF-8"');
      return refuse(context, 401, { detail: "the name or the key of the harvester is missing or wrong" });
    }
    context.header("Content-Type", "text/xml; charset=utf-8");
    context.header("Cache-Control", "no-store");
    return context.body(await answerRequest(new URLSearchParams(await read(context)), ports));
  };
}

export const oaiSubject = {
  title: "OAI-PMH",
  introduction:
    "An OAI-PMH 2.0 repository of the records and documents ([more](give-back.md)). A setting opens it to anybody, or to harvesters with a key.",
  audience: "public",
  servedBy: "give-back",
  routes: [
    route({
      method: "GET",
      path: "/oai",
      summary: "Answers an OAI-PMH request",
      details:
        "The query has the verb and its arguments: `verb`, `identifier`, `metadataPrefix` (`oai_dc`, `marcxml`, `mods`, `raw`), `from`, `until`, `set`, `resumptionToken`. " +
        "Errors of the protocol have the status 200.",
      query: "ignored",
      answers,
      middleware: [compress({ encoding: "gzip" })],
      handler: answering(async (context) => new URL(context.req.url).search),
    }),
    route({
      method: "POST",
      path: "/oai",
      summary: "Answers an OAI-PMH request with its arguments in the body",
      details: "The body is `application/x-www-form-urlencoded`; the query must be empty.",
      query: "ignored",
      answers,
      middleware: [compress({ encoding: "gzip" })],
      handler: answering(async (context) => {
        const { search } = new URL(context.req.url);
        return `${search.slice(1)}${search === "" ? "" : "&"}${await context.req.text()}`;
      }),
    }),
  ],
} satisfies Subject<OaiPorts>;
