import { html } from "hono/html";
import type { Html, Page, PageRequest } from "./page.ts";
import { state } from "./parts/state.ts";
import { longDay, time } from "./parts/time.ts";

/** A run, as the API lists it. */
interface Run {
  runId: string;
  state: "starting" | "harvesting" | "delivering" | "finished" | "failed";
  startedAt: string;
  failure?: { stage: string; reason: string };
}

/** What needs a person, and how the last run went. */
const today: Page = {
  method: "GET",
  path: "/console",
  audience: "viewer",
  section: "today",
  isEntry: true,
  answer: async (request) => {
    const { api, texts } = request;
    const { runs } = await api.get<{ runs: Run[] }>("/runs", { limit: 30 });
    const body = html`
<div class="heading"><h1>${texts.sections.today}, ${longDay(request.now, request)}</h1></div>
${runs[0] ? lastRun(runs[0], request) : html`<p class="empty">${texts.today.noRun}</p>`}`;
    return { title: texts.sections.today, body, live: runs.some(isRunning) };
  },
};

const isRunning = ({ state }: Run) => state !== "finished" && state !== "failed";

function lastRun(run: Run, request: PageRequest): Html {
  const { texts } = request;
  return html`<h2>${texts.today.lastRun}</h2><p>${state(isRunning(run) ? "running" : run.state, texts)} ${time(run.startedAt, request)}</p>`;
}

export const todayPages: readonly Page[] = [today];
