/**
 * `npm run permissions`: runs the tests of the cloud, and lists each action on a resource that a function is granted and that
 * none of them has used. `explained.ts` says why some of these stay.
 */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArguments } from "../../../local/arguments/parse-arguments.ts";
import { loadAssembly } from "../../../local/assembly.ts";
import { createResolver } from "../../../local/cloud/cloudformation/resolver.ts";
import { readStacks } from "../../../local/cloud/cloudformation/template.ts";
import { evaluate } from "../../../local/cloud/iam/policy.ts";
import { readRoles } from "../../../local/cloud/iam/roles.ts";
import { explained } from "./explained.ts";
import type { Use } from "./recorder.ts";

const usage = `usage: npm run permissions [-- FILTER …]

Runs the tests of the cloud, and lists what functions are granted and none of the tests uses.

  FILTER  runs only the test files whose paths contain it; more is then left over
  --help  prints this text

Exit codes: 0 nothing is left · 1 something is left that explained.ts does not explain · 2 wrong usage
`;

/** The filters of test files; ends the process where there is nothing to run. */
function readFilters(): string[] {
  try {
    const { values, positionals } = parseArguments(process.argv.slice(2), { help: { type: "boolean" } });
    if (!values.help) return positionals;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

const root = join(import.meta.dirname, "../../..");
const filters = readFilters();
const folder = mkdtempSync(join(tmpdir(), "ingather-permissions-"));
const tests = ["vitest", "run", "--project", "cloud", ...filters];
const env = { ...process.env, USED_PERMISSIONS: folder };
const { status } = spawnSync("npx", tests, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
const uses = globSync("*.ndjson", { cwd: folder }).flatMap((file) =>
  readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Use),
);
rmSync(folder, { recursive: true });
if (status !== 0) console.log(`The tests ended with ${status}: what failed may have used more.`);

const { outdir } = await loadAssembly(join(root, ".ingather/build"));
const location = { region: "eu-central-1", account: "000000000000", gatewayUrl: "", apiUrl: "" };
const resolver = createResolver(readStacks(outdir), { location, parameters: {} });
const roles = readRoles(resolver);
const left: string[] = [];
let granted = 0;
let kept = 0;
for (const { name, properties } of resolver.resourcesOfType<{ Role: string }>("AWS::Lambda::Function")) {
  const ofFunction = uses.filter(({ session }) => session === name);
  for (const statement of roles.get(properties.Role)?.statements ?? []) {
    if (statement.Effect !== "Allow") continue;
    for (const action of [statement.Action].flat()) {
      for (const resource of [statement.Resource].flat()) {
        if (action === undefined || resource === undefined) continue;
        granted += 1;
        const one = [{ Effect: "Allow" as const, Action: action, Resource: resource }];
        const isUsed = ofFunction.some(
          (use) => evaluate(one, { action: use.action, resource: use.resource, context: {} }) === "allow",
        );
        if (isUsed) continue;
        const isExplained = explained.some(
          (each) =>
            (each.fn?.test(name) ?? true) &&
            each.action.test(action) &&
            (each.resource?.test(resource) ?? true),
        );
        if (isExplained) kept += 1;
        else left.push(`${name}  ${action}  ${resource}`);
      }
    }
  }
}
console.log(left.sort().join("\n"));
console.log(
  `${granted} granted, ${granted - kept - left.length} used, ${kept} explained, ${left.length} left`,
);
process.exit(left.length > 0 ? 1 : 0);
