import { apiPage } from "./api-page.ts";
import { configurationPage } from "./configuration-page.ts";
import { eventSchemas, eventsPage } from "./events-page.ts";

/** The generated documents, by path. `npm run docs` writes them; a test compares them. */
export const generatedPages: Record<string, () => string> = {
  "docs/api.md": apiPage,
  "docs/configuration.md": configurationPage,
  "docs/events.md": eventsPage,
  "docs/events.schema.json": eventSchemas,
};
