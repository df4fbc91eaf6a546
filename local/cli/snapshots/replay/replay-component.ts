import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as z from "zod";
import { ConfigError } from "../../../../shared/core/errors.ts";

/**
 * The package that shows captures in a browser. It is installed beside this program and is served unchanged.
 */
export interface ReplayComponent {
  /** The name: ReplayWeb.page */
  name: string;
  version: string;
  /** The licence (SPDX) */
  license: string;
  /** The URL of its source code. */
  source: string;
  /** The files that a browser loads, by name. */
  files: Record<"index.html" | "ui.js" | "sw.js", Buffer>;
}

const description = z.object({
  productName: z.string(),
  version: z.string(),
  license: z.string(),
  repository: z.url({ protocol: /^https$/ }),
});

export function isReplayInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve("replaywebpage/index.html");
    return true;
  } catch {
    return false;
  }
}

/** Reads the component. @throws ConfigError if it is not installed */
export function findReplayComponent(): ReplayComponent {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve("replaywebpage/index.html"));
    const { productName, repository, ...rest } = description.parse(
      JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
    );
    return {
      name: productName,
      source: repository,
      ...rest,
      files: {
        "index.html": readFileSync(join(folder, "index.html")),
        "ui.js": readFileSync(join(folder, "ui.js")),
        "sw.js": readFileSync(join(folder, "sw.js")),
      },
    };
  } catch (error) {
    throw new ConfigError(
      "the package replaywebpage is missing or incomplete: run npm ci in a clone, or npm install replaywebpage",
      {
        cause: error,
      },
    );
  }
}
