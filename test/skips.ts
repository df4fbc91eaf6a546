import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { corpusFolder } from "./corpus.ts";

const openssl = "openssl, which makes a certificate, is not installed";
const linux = "the system is not Linux";
const browser = "the packages have no browser for this machine";

/** The reasons for which tests of a file may be skipped. Any other skipped test fails the run. */
const allowed: Record<string, string> = {
  "test/cloud/api-client.long.test.ts":
    "the packages of a client's author are not installed: .ci/generated-client does",
  "test/cloud/console.test.ts": browser,
  "test/cloud/console-sizes.long.test.ts": browser,
  "test/cloud/gate-stores.test.ts": "npm run second-emulator leaves out what the second emulator does not do",
  "test/cloud/second-emulator.long.test.ts": "npm run second-emulator runs it",
  "test/local/browser/unpack-browser.long.test.ts": browser,
  "test/local/cloud/lock.test.ts": linux,
  "test/local/cli/commands/capture.test.ts": linux,
  "test/local/cli/commands/check-links/check-links-process.long.test.ts": linux,
  "test/local/cli/commands/replay.test.ts": browser,
  "test/local/cli/commands/terminal.test.ts": "bash is not installed",
  "test/local/state-folder.test.ts": linux,
  "test/shared/web/exchange/http-client-tls.test.ts": openssl,
  "test/shared/web/exchange/proxy.test.ts": openssl,
};

/**
 * Prints the reason of each skipped test at the end of a run, and fails the run if a skipped test has none.
 */
export class SkipReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const vitest = this.#vitest;
    // With names on the command line, Vitest skips all other tests.
    if (vitest === undefined || vitest.config.testNamePattern !== undefined) return;
    for (const module of modules) {
      const skipped = [...module.children.allTests("skipped")];
      if (skipped.length === 0) continue;
      const file = relative(vitest.config.root, module.moduleId);
      const reason = allowed[file] ?? corpusIsMissing(module.moduleId);
      if (reason === undefined) {
        vitest.logger.error(`${file} skips without a reason in test/skips.ts:\n${namesOf(skipped)}`);
        process.exitCode = 1;
      } else vitest.logger.log(`${file} skipped ${skipped.length}: ${reason}`);
    }
  }
}

/** Why a test that reads the corpus is skipped, if the corpus is not beside the project. */
function corpusIsMissing(testFile: string): string | undefined {
  if (existsSync(corpusFolder) || !readFileSync(testFile, "utf8").includes('/corpus.ts"')) return undefined;
  return "the corpus of real feeds, answers, pages and records is not beside the project";
}

function namesOf(tests: readonly TestCase[]): string {
  return tests.map(({ fullName }) => `  ${fullName}`).join("\n");
}
