// Plain JavaScript, so that an old Node can print the message instead of an error about an unknown file extension.

/** Why this Node cannot run Ingather; undefined if it can. */
export const nodeProblem = process.features.typescript
  ? undefined
  : `This needs Node 22.18, 23.6, 24 or later; it is ${process.version}. The right one comes with the optional packages: run npm ci without --omit=optional, or install Node 24.`;
