import { existsSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** The folder of the package: of a clone, or of an installed package. */
export const packageFolder = dirname(findPackageJSON("..", import.meta.url) ?? import.meta.filename);

/** Whether this is a clone. An installed package contains only the compiled command line. */
export const isClone = existsSync(join(packageFolder, "infra"));
