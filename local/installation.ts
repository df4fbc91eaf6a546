import { existsSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";

/** The folder of the package: that of a clone, or that of an installed package. */
export const packageFolder = dirname(findPackageJSON("..", import.meta.url) ?? import.meta.filename);

/** Whether this is a clone. An installed package has the compiled command line only. */
export const isClone = existsSync(join(packageFolder, "infra"));
