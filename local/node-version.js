// Plain JavaScript, so that any Node can say it: one that is too old would only call the first TypeScript file unknown.

/** Why this Node cannot run what is here; undefined when it can. */
export const nodeProblem = process.features.typescript
  ? undefined
  : `This needs Node 22.18, 23.6, 24 or later; it is ${process.version}. The right one comes with the optional packages: run npm ci without --omit=optional, or install Node 24.`;
