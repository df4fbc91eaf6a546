import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readCdkContext } from "../../local/cdk-context.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it.each([
  ["{}", {}],
  ['{"context": {"ingather:timeZone": "Europe/Berlin"}}', { "ingather:timeZone": "Europe/Berlin" }],
])("the context of %s is %j", (text, context) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "cdk.json"), text);
  expect(readCdkContext(folder)).toEqual(context);
});

it("a folder without a cdk.json has no context", () => {
  expect(readCdkContext(temporaryFolder())).toEqual({});
});

it("a cdk.json that is not JSON → refused by its path, with the place", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "cdk.json"), '{"context": {\n,}}');
  expect(() => readCdkContext(folder)).toThrow(`${join(folder, "cdk.json")} is not JSON: line 2, column 1`);
});

it("a synthesis with a wrong setting → one line that names it, and exit code 1", () => {
  const app = join(import.meta.dirname, "../../infra/app.ts");
  const env = { PATH: process.env.PATH, CDK_CONTEXT_JSON: '{"ingather:prefix": "Bad_"}' };
  const { status, stderr } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", app], {
    env,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^context ingather:prefix: "Bad_" must be [^\n]*\n$/);
  expect(status).toBe(1);
});
