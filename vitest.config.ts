import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { useOwnFolders } from "./test/own-folders.ts";
import { SkipReporter } from "./test/skips.ts";
import { hangMs, waitMs } from "./test/time-limits.ts";

useOwnFolders();

/** More than there are cores: most of the longer tests wait for other processes, or for a time-out to show. */
const maxWorkers = Math.ceil(2.25 * availableParallelism());

const all = "test/**/*.test.ts";
const long = "test/**/*.long.test.ts";
const packages = "**/node_modules/**";

/** They change what all modules of a process share: its environment, the clients of AWS, or modules themselves. */
const inProcessesOfTheirOwn = [
  "test/cloud/**/*.test.ts",
  "test/shared/adapters/{aws,gate,records}/**/*.test.ts",
  "test/shared/*/stores/**/*.test.ts",
  "test/shared/runtime/sqs.test.ts",
  "test/infra/kinds.test.ts",
  "test/field-tables.test.ts",
  "test/local/cli/commands/validate.test.ts",
];

/** They use the stores of one cloud. */
const onSharedCloud = [
  "test/cloud/api-contract.test.ts",
  "test/cloud/configuration-store.test.ts",
  "test/cloud/hosts.test.ts",
  "test/cloud/large-objects.test.ts",
  "test/cloud/link-records.test.ts",
  "test/cloud/lost-updates.test.ts",
  "test/cloud/run-items.test.ts",
];

/** Each test file has ports and folders of its own: all run side by side. */
const shared = {
  testTimeout: hangMs,
  hookTimeout: hangMs,
  expect: { poll: { timeout: waitMs } },
  maxWorkers,
  globalSetup: ["test/synthesise-once.ts", "test/end-hangs.ts"],
  setupFiles: "test/each-file.ts",
};

export default defineConfig({
  test: {
    reporters: ["default", new SkipReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Most tests take less time than a process and its modules.
        test: {
          ...shared,
          name: "unit",
          include: [all],
          exclude: [...inProcessesOfTheirOwn, long, packages],
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: "cloud",
          include: inProcessesOfTheirOwn,
          exclude: [...onSharedCloud, long, packages],
        },
      },
      { test: { ...shared, name: "stores", include: onSharedCloud, isolate: false } },
      // What takes longest, and what draws its cases at random: npm run test:all.
      { test: { ...shared, name: "long", include: [long], exclude: [packages] } },
    ],
  },
});
