import { expect, it } from "vitest";
import { namesContact } from "../../local/user-agent.ts";

it.each([
  ["Ingather/0.1 (+https://library.test/about)", true],
  ["ub_tools (https://ixtheo.de/docs/user_agents)", true],
  ["Ingather/0.1 (mailto:ingather@library.test)", true],
  ["Ingather/0.1 (https://www.example.org/about)", false],
  ["Ingather/0.1 (ingather@example.org)", false],
  ["Ingather/0.1", false],
  ["", false],
])("%s → names a contact: %s", (userAgent, names) => {
  expect(namesContact(userAgent)).toBe(names);
});
