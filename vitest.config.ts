import { defineConfig } from "vitest/config";

/** For what hangs; no test tells by it how quick something is, as machines may be slow, and do other things besides. */
const longMs = 600_000;
const patient = {
  testTimeout: longMs,
  hookTimeout: longMs,
  expect: { poll: { timeout: longMs / 2 } },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/cloud/**", "test/infra/**"],
          ...patient,
        },
      },
      {
        // Whole clouds, and the demo site on its own port: one after the other.
        test: {
          name: "cloud",
          include: ["test/cloud/**/*.test.ts", "test/infra/**/*.test.ts"],
          fileParallelism: false,
          ...patient,
        },
      },
    ],
  },
});
