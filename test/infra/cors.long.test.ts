import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeTemplates } from "../../infra/templates.ts";
import { stackNames } from "../../shared/names.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { root, templates } from "./templates.ts";

async function corsOf(corsOrigins: string): Promise<unknown> {
  const outdir = temporaryFolder();
  const { bundles } = await templates();
  const { context } = JSON.parse(readFileSync(join(root, "cdk.json"), "utf8"));
  const settings = { ...context, "ingather:corsOrigins": corsOrigins };
  await writeTemplates({ outdir, bundles, deployable: false, context: settings });
  const file = join(outdir, `${stackNames.api}.template.json`);
  const { Resources } = JSON.parse(readFileSync(file, "utf8")) as {
    Resources: Record<string, { Type: string; Properties: { CorsConfiguration?: unknown } }>;
  };
  const api = Object.values(Resources).find(({ Type }) => Type === "AWS::ApiGatewayV2::Api");
  return api?.Properties.CorsConfiguration;
}

it("no origins → pages of others may not call the API", async () => {
  expect(await corsOf("")).toBeUndefined();
});

it("origins → they alone may, with the headers of the contract", async () => {
  expect(await corsOf("https://a.example, http://127.0.0.1:5173")).toMatchObject({
    AllowOrigins: ["https://a.example", "http://127.0.0.1:5173"],
    AllowHeaders: expect.arrayContaining(["authorization", "if-match", "idempotency-key"]),
    ExposeHeaders: expect.arrayContaining(["etag", "location", "retry-after"]),
  });
});
