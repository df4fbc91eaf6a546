// Plain JavaScript, so that an old Node can print the message instead of an error about an unknown file extension.
import { existsSync } from "node:fs";

/** Whether this is an installed package, whose command line is compiled, and not a clone. */
export const isCompiled = !existsSync(new URL("./ingather.ts", import.meta.url));

/** Why this Node cannot run Ingather; undefined if it can. */
export const nodeProblem = isCompiled ? compiledProblem() : sourceProblem();

function compiledProblem() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 14)) return undefined;
  return `This needs Node 22.14 or later; it is ${process.version}.`;
}

function sourceProblem() {
  if (process.features.typescript) return undefined;
  return `This needs Node 22.18, 23.6, 24 or later; it is ${process.version}. The right one comes with the optional packages: run npm ci without --omit=optional, or install Node 24.`;
}
