import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { type DemoSite, startDemoSite } from "../../local/demo/site.ts";
import { readMarcXml } from "../../shared/marc/marcxml-reader.ts";
import { collectItems } from "../shared/marc/sample.ts";
import { schemaProblem } from "../shared/records/events/event-schemas.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const root = join(import.meta.dirname, "../..");
/** A user's packages, which `.ci/generated-client` installs. */
const packages = join(root, "test/cloud/generated-client");
const run = promisify(execFile);

describe.skipIf(!existsSync(join(packages, "node_modules")))("a generated client", () => {
  let site: DemoSite;
  let cloud: LocalCloud;
  let folder: string;
  const stateDir = stateFolder();

  beforeAll(async () => {
    site = await startDemoSite();
    cloud = await testCloud(stateDir, { allowedPrivateHosts: [new URL(site.origin).host] });
    const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
    await storeConfiguration([]);
    folder = mkdtempSync(join(tmpdir(), "ingather-client-"));
    symlinkSync(join(packages, "node_modules"), join(folder, "node_modules"));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await site.close();
  });

  it("of /openapi.json → compiles; from a journal's home page to a delivered file", async () => {
    const document = join(folder, "openapi.json");
    const published = await fetch(`${cloud.apiUrl}/openapi.json`);
    writeFileSync(document, await published.text());
    const generator = join(packages, "generate.js");
    await run(process.execPath, [generator, document, join(folder, "api.ts")]);
    copyFileSync(join(packages, "program.ts.txt"), join(folder, "program.ts"));
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const options = {
      target: "es2024",
      module: "nodenext",
      strict: true,
      noEmit: true,
      typeRoots: [join(root, "node_modules/@types")],
      types: ["node"],
    };
    const compilerOptions = { ...options, allowImportingTsExtensions: true, skipLibCheck: true };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    const compiled = run(join(packages, "node_modules/.bin/tsc"), ["-p", folder], { cwd: root });
    const token = await cloud.issueToken({ sub: "aggregator" });
    const program = [join(folder, "program.ts"), cloud.apiUrl, token, `${site.origin}/`];
    const [, { stdout }] = await Promise.all([
      compiled,
      run(process.execPath, program, { maxBuffer: 50_000_000 }),
    ]);

    const done = JSON.parse(stdout);
    expect(done.health).toMatchObject({ status: "ok", network: "up" });
    expect(done.previewed).toBeGreaterThan(0);
    expect(done.state).toBe("finished");
    expect(done.outcomes).toHaveLength(12);
    expect(done.recordIds.length).toBeGreaterThan(5);
    expect(done.deliveries).toMatchObject([{ groupId: "Ingather", records: done.recordIds.length }]);
    const delivered = await collectItems(readMarcXml([Buffer.from(done.file)]));
    expect(delivered.map(({ type }) => type)).toEqual(done.recordIds.map(() => "record"));
    expect(done.lines).toMatch(/^245 \d\d \$a /m);
    expect(done.refused).toMatchObject({ status: 400, field: "limit", value: "0" });
  });

  it("the events of that run → all in the catalogue, valid by their published schemas", () => {
    const lines = readFileSync(join(stateDir, "events.ndjson"), "utf8").trim().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    const problems = events.map((event) =>
      schemaProblem({ type: event["detail-type"], detail: event.detail }),
    );
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    const types = new Set(events.map((event) => event["detail-type"]));
    for (const type of ["source.new", "document.new", "record.delivered", "delivery.new", "run.finished"]) {
      expect(types).toContain(type);
    }
  });
});
