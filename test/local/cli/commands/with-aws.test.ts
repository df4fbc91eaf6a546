import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../temporary-folder.ts";

const program = join(import.meta.dirname, "../../../../local/ingather.js");
const home = temporaryFolder();
const nobody = {
  PATH: process.env.PATH,
  HOME: home,
  AWS_EC2_METADATA_DISABLED: "true",
};
const keys = { AWS_ACCESS_KEY_ID: "AKIAEXAMPLE", AWS_SECRET_ACCESS_KEY: "not-a-secret" };
const region = { AWS_REGION: "eu-central-1" };

it.each([
  ["no region", nobody, "--aws: no region: set AWS_REGION"],
  ["no credentials", { ...nobody, ...region }, "--aws: no credentials: sign in"],
  [
    "nobody answers",
    { ...nobody, ...region, ...keys, AWS_ENDPOINT_URL: "http://127.0.0.1:9", AWS_MAX_ATTEMPTS: "1" },
    "--aws: the request to AWS in eu-central-1 failed: ",
  ],
])("export --aws, %s → one line, and exit code 4", (_what, env, line) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "export", "--aws"], {
    env,
    encoding: "utf8",
  });
  expect(stderr).toMatch(new RegExp(`^${line}.*\n$`));
  expect([status, stdout]).toEqual([4, ""]);
});
