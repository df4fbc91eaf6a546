import { expect, it } from "vitest";
import { reportSubject } from "../../../shared/api/report-routes.ts";
import { MemoryPorts } from "../memory-ports.ts";
import { serve } from "./serve.ts";

it.each([
  { path: "/reports/overdue", status: 200, says: '{"overdue":[]}' },
  { path: "/reports/overdue?source=a", status: 400, says: expect.stringContaining("source") },
])("$path → $status", async ({ path, status, says }) => {
  const app = serve([reportSubject], new MemoryPorts());
  const answer = await app.request(path);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toEqual(says);
});
