import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { mayActAs } from "../api/role.ts";
import type { Clock } from "../core/clock.ts";
import { InputError } from "../core/errors.ts";
import { isTimeZone } from "../core/time-zone.ts";
import { ApiRefusal, createApi, type SendToApi, withQuery } from "./api.ts";
import { frame, plainPage } from "./layout.ts";
import { keepNotice, takeNotice } from "./notice.ts";
import type { Html, Page, PageAnswer, PageRequest, Section } from "./page.ts";
import { ownAddress } from "./sign-in/own-address.ts";
import type { TokenIssuer } from "./sign-in/ports.ts";
import { cookieOptions, endSession, readSession, type Session } from "./sign-in/session.ts";
import { finishSignIn, isSame, signedInPath, startSignIn } from "./sign-in/sign-in.ts";
import { staticFiles } from "./static/static-files.ts";
import { isLanguage, languageOf, languages } from "./texts/languages.ts";

interface ConsolePorts {
  /** The table of pages. */
  pages: readonly Page[];
  send: SendToApi;
  issuer: TokenIssuer;
  /** The origin of the console and the API, such as `https://….execute-api.….amazonaws.com`. */
  origin: string;
  clock: Clock;
  /** The time zone of the deployment, for browsers that have not reported theirs. */
  timeZone: string;
  /** The origin on which captures are shown, if there is one. */
  replayOrigin?: string | undefined;
  /** Logs a fault of Ingather. */
  logFault: (error: Error, path: string) => void;
}

type Reader = Pick<PageRequest, "texts" | "language" | "zone" | "now">;

/** Creates the console: all pages of the table, behind the sign-in. */
export function createConsole(ports: ConsolePorts): Hono {
  const { issuer, origin } = ports;
  const isSecure = origin.startsWith("https:");
  const app = new Hono();

  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.header(name, value);
    if (!context.res.headers.has("cache-control")) context.header("cache-control", "no-store");
  });

  for (const { path, contentType, content } of staticFiles) {
    app.get(path, (context) =>
      context.body(content, 200, {
        "content-type": contentType,
        "cache-control": "public, max-age=31536000, immutable",
      }),
    );
  }

  const plain = (
    context: Context,
    status: 200 | 401 | 403,
    parts: { title: string; body: Html; goTo?: string },
  ) => context.html(plainPage(readerOf(context, ports), parts), status);

  app.get("/console/sign-in", (context) => startSignIn(context, { issuer, origin }));

  app.get(signedInPath, async (context) => {
    const { signIn } = readerOf(context, ports).texts;
    const back = await finishSignIn(context, { issuer, origin });
    if (back === undefined) {
      const body = html`<p>${signIn.failed}</p><p><a class="button main" href="/console/sign-in">${signIn.button}</a></p>`;
      return plain(context, 401, { title: signIn.title, body });
    }
    // A redirect would still count as one from the issuer, so the browser would not send the strict cookies. A link on
    // a page of the console sends them.
    return plain(context, 200, {
      title: signIn.signedIn,
      body: html`<p><a href="${back}">${signIn.goOn}</a></p>`,
      goTo: back,
    });
  });

  app.get("/console/signed-out", (context) => {
    const { signIn } = readerOf(context, ports).texts;
    const body = html`<p>${signIn.signedOutText}</p><p><a class="button main" href="/console/sign-in">${signIn.button}</a></p>`;
    return plain(context, 200, { title: signIn.signedOut, body });
  });

  app.get("/console/language", (context) => {
    const { to, back } = context.req.query();
    if (isLanguage(to)) {
      setCookie(context, "ingather-language", to, { ...cookieOptions(isSecure), maxAge: 31_536_000 });
    }
    return context.redirect(ownAddress(back, origin), 303);
  });

  app.post("/console/sign-out", async (context) => {
    const session = await readSession(context, { issuer, isSecure });
    const isOwn = session !== undefined && isOwnForm(context, await readForm(context), { session, origin });
    if (session !== undefined && !isOwn) return context.redirect("/console", 303);
    const refreshToken = endSession(context, isSecure);
    if (refreshToken !== undefined) await issuer.revoke(refreshToken);
    const { signIn } = readerOf(context, ports).texts;
    // The response is not a redirect, because forms may lead only to pages of the console.
    return plain(context, 200, {
      title: signIn.signedOut,
      body: html`<p>${signIn.signedOutText}</p>`,
      goTo: issuer.signOutUrl(`${origin}/console/signed-out`),
    });
  });

  for (const page of ports.pages) {
    app.on(page.method, [page.path.replaceAll(/\{(\w+)\}/g, ":$1")], (context) =>
      servePage(context, page, ports),
    );
  }

  app.all("/console/*", (context) => servePage(context, undefined, ports));
  return app;
}

/** Responds to a request for a page. @param page undefined when there is no such page */
async function servePage(context: Context, page: Page | undefined, ports: ConsolePorts): Promise<Response> {
  const { issuer, origin } = ports;
  const isSecure = origin.startsWith("https:");
  const reader = readerOf(context, ports);
  const session = await readSession(context, { issuer, isSecure });
  if (session === undefined) return askToSignIn(context, reader);
  const { caller } = session;
  if (caller === undefined) {
    const { signIn } = reader.texts;
    return context.html(plainPage(reader, { title: signIn.title, body: html`<p>${signIn.noRole}</p>` }), 403);
  }
  const { pathname, search } = new URL(context.req.url);
  const url = new URL(pathname + search, origin);
  const request: PageRequest = {
    ...reader,
    api: createApi(ports.send, session.accessToken),
    caller,
    url,
    params: context.req.param() as Record<string, string>,
    csrf: session.csrf,
    replayOrigin: ports.replayOrigin,
    form: {},
    formValues: () => [],
  };
  const show = (answer: PageAnswer, section?: Section) =>
    render(context, answer, { request, section, isSecure, pages: ports.pages });
  const { problems } = reader.texts;
  if (page === undefined) return show(problemPage(request, 404, problems.notFound, problems.notFoundHint));
  const { section } = page;
  if (!mayActAs(caller.role, page.audience)) {
    const title = problems.forbidden(reader.texts.roles[page.audience]);
    return show(problemPage(request, 403, title, problems.forbiddenHint), section);
  }
  if (page.method === "POST") {
    const values = await readForm(context);
    if (!isOwnForm(context, values, { session, origin })) {
      return show(problemPage(request, 403, problems.title, problems.stale), section);
    }
    request.formValues = (name) => values.get(name) ?? [];
    request.form = Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? ""]));
  }
  try {
    return await show(await page.answer(request), section);
  } catch (error) {
    return show(answerError(error as Error, request, ports), section);
  }
}

function answerError(error: Error, request: PageRequest, { logFault }: ConsolePorts): PageAnswer {
  const { problems } = request.texts;
  if (error instanceof ApiRefusal) {
    const { status, detail } = error.problem;
    if (status === 404) return problemPage(request, 404, problems.notFound, detail);
    const known = ([400, 403, 409, 429, 502, 503] as const).find((each) => each === status) ?? 500;
    if (known === 500) logFault(error, request.url.pathname);
    return problemPage(request, known, problems.title, detail);
  }
  if (error instanceof InputError) return problemPage(request, 400, problems.title, error.message);
  if (error instanceof HTTPException) throw error;
  logFault(error, request.url.pathname);
  return problemPage(request, 500, problems.inside, problems.insideHint);
}

function problemPage(
  { texts }: PageRequest,
  status: 400 | 403 | 404 | 409 | 429 | 500 | 502 | 503,
  title: string,
  detail: string,
): PageAnswer {
  const body = html`<div class="heading"><h1>${title}</h1></div><p>${detail}</p><p><a href="/console">${texts.problems.toToday}</a></p>`;
  return { title, status, body };
}

function render(
  context: Context,
  answer: PageAnswer,
  {
    request,
    section,
    isSecure,
    pages,
  }: { request: PageRequest; section: Section | undefined; isSecure: boolean; pages: readonly Page[] },
): Response | Promise<Response> {
  if ("redirect" in answer) {
    if (answer.notice) keepNotice(context, answer.notice, isSecure);
    return context.redirect(ownAddress(answer.redirect, request.url.origin), 303);
  }
  if ("download" in answer) return context.redirect(answer.download, 302);
  if ("csv" in answer) {
    return context.body(answer.csv, 200, {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${answer.fileName.replaceAll(/[^\w.-]/g, "_")}"`,
    });
  }
  const { title, body, status = 200, live = false } = answer;
  const notice = takeNotice(context, isSecure);
  const navigation = pages.filter(({ isEntry }) => isEntry);
  return context.html(frame({ request, title, body, section, navigation, notice, live }), status);
}

/**
 * Redirects visitors without a session to the sign-in. After a link on another site, such as in a mail, the browser
 * does not send the strict cookies. The page therefore first requests itself again, which sends them.
 */
function askToSignIn(context: Context, reader: Reader): Response | Promise<Response> {
  const { pathname, search } = new URL(context.req.url);
  const { signIn } = reader.texts;
  const isPage = context.req.method === "GET";
  const here = pathname + search;
  if (isPage && context.req.header("sec-fetch-site") === "cross-site") {
    const body = html`<p><a href="${here}">${signIn.goOn}</a></p>`;
    return context.html(plainPage(reader, { title: signIn.title, body, goTo: here }), 401);
  }
  const to = withQuery("/console/sign-in", isPage ? { back: here } : {});
  const body = html`<p>${signIn.needed}</p><p><a class="button main" href="${to}">${signIn.button}</a></p>`;
  return context.html(plainPage(reader, { title: signIn.title, body }), 401);
}

/** Returns the values of each field of a form. */
async function readForm(context: Context): Promise<ReadonlyMap<string, string[]>> {
  const body = await context.req.parseBody({ all: true });
  return new Map(
    Object.entries(body).map(([name, values]) => [
      name,
      [values].flat().filter((value) => typeof value === "string"),
    ]),
  );
}

/** Decides whether a form comes from a page of this session. */
function isOwnForm(
  context: Context,
  form: ReadonlyMap<string, string[]>,
  { session, origin }: { session: Session; origin: string },
): boolean {
  const from = context.req.header("origin");
  return (from === undefined || from === origin) && isSame(session.csrf, form.get("csrf")?.[0]);
}

function readerOf(context: Context, { clock, timeZone, origin }: ConsolePorts): Reader {
  const prefix = origin.startsWith("https:") ? ("host" as const) : undefined;
  const chosen = getCookie(context, "ingather-language", prefix);
  const language = isLanguage(chosen) ? chosen : languageOf(context.req.header("accept-language"));
  // The script sets this cookie, which needs a name without a prefix.
  const zone = getCookie(context, "ingather-zone");
  return {
    texts: languages[language],
    language,
    zone: zone !== undefined && isTimeZone(zone) ? zone : timeZone,
    now: clock.now(),
  };
}

/** @see https://owasp.org/www-project-secure-headers/ */
const securityHeaders = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};
