import { nodeProblem } from "./node-version.js";

if (nodeProblem !== undefined) {
  console.error(nodeProblem);
  process.exit(1);
}
