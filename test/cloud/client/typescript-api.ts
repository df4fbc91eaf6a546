import { registerHooks } from "node:module";

/**
 * Lets openapi-typescript load the JavaScript API of TypeScript, which TypeScript 7 does not have: from a package that
 * bundles it without a second `tsc`.
 */
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== "typescript") return nextResolve(specifier, context);
    const source = `import { ts } from ${JSON.stringify(import.meta.resolve("@ts-morph/common"))}; export default ts;`;
    return { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true };
  },
});
