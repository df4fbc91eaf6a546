import { apiPage } from "./api-page.ts";
import { configurationPage } from "./configuration-page.ts";

/** Documents that are generated from tables of the code, by path; `npm run docs` writes them, a test compares them. */
export const generatedPages: Record<string, () => string> = {
  "docs/api.md": apiPage,
  "docs/configuration.md": configurationPage,
};
