import { etag } from "hono/etag";
import * as z from "zod";
import type { NetworkFlag } from "../web/network/probe-network.ts";
import { problem } from "./answer.ts";
import type { openApiDocument } from "./open-api.ts";
import { routesOver, type Subject } from "./route.ts";

interface DescriptionPorts {
  /** The OpenAPI document. */
  document(): Promise<ReturnType<typeof openApiDocument>>;
  /** The version of the API. */
  version: string;
  network: Pick<NetworkFlag, "get">;
}

const healthBody = z
  .strictObject({
    status: z.literal("ok"),
    version: z.string().describe("The version of this API"),
    network: z
      .enum(["up", "down"])
      .describe("`down`: the network of Ingather fails, and no requests are sent"),
  })
  .meta({ title: "Health" });

const cacheControl = "public, max-age=300";

const cacheHeaders = {
  etag: "Send it as `If-None-Match`",
  "cache-control": "How long the response may be cached",
};

const unchanged = { description: "Unchanged since the ETag in `If-None-Match`" };

const route = routesOver<DescriptionPorts>();

export const descriptionSubject = {
  title: "The API itself",
  introduction: "The API description for generating clients, a page for people, and a check for monitoring.",
  audience: "public",
  servedBy: "description",
  routes: [
    route({
      method: "GET",
      path: "/openapi.json",
      summary: "Returns the OpenAPI 3.1 document of this API",
      answers: {
        200: {
          description: "The document",
          body: z.looseObject({
            openapi: z.string(),
            info: z.looseObject({ title: z.string(), version: z.string() }),
            paths: z.record(z.string(), z.looseObject({})),
          }),
          headers: cacheHeaders,
        },
        304: unchanged,
      },
      middleware: [etag()],
      handler: ({ document }) => {
        let text: string | undefined;
        return async (context) => {
          text ??= JSON.stringify(await document());
          context.header("cache-control", cacheControl);
          return context.body(text, 200, { "content-type": "application/json" });
        };
      },
    }),
    route({
      method: "GET",
      path: "/reference",
      summary: "Shows the OpenAPI document of this API as a page",
      answers: {
        200: {
          description: "The page",
          alternatives: { "text/html": "The routes by subject, with parameters, bodies and responses" },
          headers: cacheHeaders,
        },
        304: unchanged,
      },
      middleware: [etag()],
      handler: ({ document }) => {
        let text: string | undefined;
        return async (context) => {
          const { referencePage, referencePolicy } = await import("./reference-page.ts");
          text ??= await referencePage(await document());
          context.header("cache-control", cacheControl);
          context.header("content-security-policy", referencePolicy);
          context.header("x-content-type-options", "nosniff");
          return context.html(text);
        };
      },
    }),
    route({
      method: "GET",
      path: "/health",
      summary: "Checks that the API responds and reaches its tables",
      answers: {
        200: { description: "Healthy", body: healthBody },
        500: problem("The tables cannot be reached"),
      },
      handler:
        ({ version, network }) =>
        async (context) => {
          const state = (await network.get())?.state ?? "up";
          context.header("cache-control", "no-store");
          return context.json({ status: "ok", version, network: state });
        },
    }),
  ],
} satisfies Subject<DescriptionPorts>;
