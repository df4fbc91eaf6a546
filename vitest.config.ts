import { defineConfig } from "vitest/config";

const patient = { testTimeout: 120_000, hookTimeout: 120_000 };

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
