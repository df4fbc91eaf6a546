import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** For what hangs; no test tells by it how quick something is, as machines may be slow, and do other things besides. */
const hangMs = 60_000;

/** More than there are cores: most of the longer tests wait for other processes, or for a time-out to show. */
const maxWorkers = Math.ceil(2.25 * availableParallelism());

/** Each test file has ports, folders and a process of its own, those of whole clouds as well: all run side by side. */
const shared = {
  testTimeout: hangMs,
  hookTimeout: hangMs,
  expect: { poll: { timeout: hangMs / 2 } },
  maxWorkers,
  globalSetup: ["test/synthesise-once.ts", "test/end-hangs.ts"],
  setupFiles: "test/heartbeat.ts",
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/cloud/**", "test/infra/**"],
          ...shared,
        },
      },
      { test: { name: "cloud", include: ["test/cloud/**/*.test.ts", "test/infra/**/*.test.ts"], ...shared } },
    ],
  },
});
