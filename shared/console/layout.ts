import { html } from "hono/html";
import { withQuery } from "./api.ts";
import type { Html, Notice, PageRequest, Section } from "./page.ts";
import { csrfField } from "./parts/form.ts";
import { iconFile, scriptFile, styleFile } from "./static/static-files.ts";
import type { Texts } from "./texts/en.ts";
import { type Language, languages } from "./texts/languages.ts";

/** A link of the navigation. */
interface NavigationEntry {
  section: Section;
  path: string;
}

interface FrameParts {
  request: PageRequest;
  title: string;
  body: Html;
  section: Section | undefined;
  navigation: readonly NavigationEntry[];
  notice: Notice | undefined;
  live: boolean;
}

/** Renders a page in the frame that all pages have in common. The section of the page is marked. */
export function frame({ request, title, body, section, navigation, notice, live }: FrameParts): Html {
  const { texts, url } = request;
  // The response to a form must not be requested again, and a notice is shown only once.
  const isRepeatable = notice === undefined && Object.keys(request.form).length === 0;
  return document({
    request,
    title,
    zone: isRepeatable ? request.zone : undefined,
    content: html`<a class="skip" href="#main">${texts.frame.skip}</a>
<header class="top"><div>
<a class="brand" href="/console">${texts.frame.product}</a>
<nav aria-label="${texts.frame.sections}"><ul>${navigation.map(
      (entry) =>
        html`<li><a href="${entry.path}"${entry.section === section ? html` aria-current="page"` : ""}>${texts.sections[entry.section]}</a></li>`,
    )}</ul></nav>
<form class="search" action="/console/search" method="get" role="search" aria-label="${texts.frame.search}"><label class="hidden" for="search">${texts.frame.search}</label><input id="search" type="search" name="q" placeholder="${texts.frame.searchHint}"></form>
${callerMenu(request)}
</div></header>
<main id="main" tabindex="-1"${live ? html` data-live` : ""}>
${notice ? noticeBox(notice, request) : ""}
${body}
${live ? html`<p class="quiet">${texts.frame.live} <a href="${url.pathname}${url.search}">${texts.frame.refresh}</a></p>` : ""}
</main>`,
  });
}

/** Renders a page without the frame, for visitors who are not signed in. */
export function plainPage(
  request: Pick<PageRequest, "texts" | "language">,
  { title, body, goTo }: { title: string; body: Html; goTo?: string },
): Html {
  return document({
    request,
    title,
    goTo,
    content: html`<main class="card" id="main"><h1>${title}</h1>${body}</main>`,
  });
}

function document({
  request: { texts, language },
  title,
  content,
  goTo,
  zone,
}: {
  request: { texts: Texts; language: Language };
  title: string;
  content: Html;
  goTo?: string | undefined;
  /** The time zone of the page's times. A browser in another zone requests the page again. */
  zone?: string | undefined;
}): Html {
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
${goTo === undefined ? "" : html`<meta http-equiv="refresh" content="0;url=${goTo}">`}
<title>${title} · ${texts.frame.product}</title>
<link rel="stylesheet" href="${styleFile.path}"><link rel="icon" href="${iconFile.path}"><script src="${scriptFile.path}" defer></script></head>
<body${zone === undefined ? "" : html` data-zone="${zone}"`}>${content}</body></html>`;
}

function callerMenu(request: PageRequest): Html {
  const { texts, caller, language, url } = request;
  const back = url.pathname + url.search;
  const others = (Object.keys(languages) as Language[]).filter((each) => each !== language);
  return html`<details class="me"><summary>${caller.name.split("@", 1)[0]}</summary><div>
<p>${texts.frame.signedInAs(caller.name, texts.roles[caller.role])}</p>
<p>${others.map((each) => html`<a href="${withQuery("/console/language", { to: each, back })}" lang="${each}" hreflang="${each}">${languageName(each)}</a>`)}</p>
<form method="post" action="/console/sign-out">${csrfField(request)}<button>${texts.frame.signOut}</button></form>
</div></details>`;
}

/** Returns the name of a language in that language. */
function languageName(language: Language): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}

function noticeBox({ text, undo }: Notice, request: PageRequest): Html {
  return html`<div class="notice" role="status"><p>${text}</p>${
    undo
      ? html`<form method="post" action="${undo.to}">${csrfField(request)}${Object.entries(undo.fields).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
        )}<button>${undo.label ?? request.texts.frame.undo}</button></form>`
      : ""
  }</div>`;
}
