import type { SignedResponse } from "../../../../shared/links/signs/page-facts.ts";

/** A response of known truth. `made` names the sign, or the kind of living page, that it was made for. */
export interface Animal {
  truth: "alive" | "wall" | "gone-likely";
  made: string;
  response: SignedResponse;
}

interface Look {
  title?: string;
  head?: string;
  body?: string;
  headers?: Record<string, string>;
  /** The addresses of the redirects; the first one is that of the link. */
  urls?: string[];
}

const sites = [
  "Journal of Examples",
  "University Repository",
  "Acta Exempli",
  "Open Press",
  "Beispiel-Verlag",
];
const lorem =
  "The authors examine a sample of two hundred documents and find that most of them can still be read after ten years. ";

function respond({
  title,
  head = "",
  body = "",
  headers = {},
  urls = ["https://j.example/articles/1234"],
}: Look): SignedResponse {
  const markup = `<!DOCTYPE html><html><head><meta charset="utf-8">${title === undefined ? "" : `<title>${title}</title>`}${head}</head><body>${body}</body></html>`;
  return {
    hops: urls.map((url, index) => ({ url, status: index < urls.length - 1 ? 302 : 200 })),
    headers: { "content-type": "text/html; charset=utf-8", ...headers },
    body: new TextEncoder().encode(markup),
  };
}

const menu = (site: string) =>
  `<nav><a href="/">${site}</a> <a href="/about">About</a> <a href="/issues">Issues</a> <a href="/login">Log in</a></nav>`;
const footer = "<footer>© 2026. All rights reserved. Contact. Privacy.</footer>";

/** Each look on each site, as the whole page and within the frame of the site. */
function onSites(
  truth: Animal["truth"],
  made: string,
  looks: ((site: string, index: number) => Look)[],
): Animal[] {
  return looks.flatMap((look) =>
    sites.map((site, index) => ({ truth, made, response: respond(look(site, index)) })),
  );
}

const script = (length: number) => `<script>${"var a=1;".repeat(length / 8)}</script>`;

export const walls: Animal[] = [
  ...onSites("wall", "cloudflare-page", [
    () => ({
      title: "Just a moment...",
      head: '<meta http-equiv="refresh" content="390">',
      body: `<div class="main-content"><noscript>Enable JavaScript and cookies to continue</noscript></div><script>(function(){window._cf_chl_opt={cvId:'3',cZone:'j.example'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8';})();</script>`,
    }),
    () => ({
      title: "Attention Required! | Cloudflare",
      body: '<div id="cf-wrapper"><div id="cf-error-details"><h1>Sorry, you have been blocked</h1><h2>You are unable to access j.example</h2></div></div>',
    }),
  ]),
  ...onSites("wall", "cloudflare-challenge", [
    () => ({ title: "Nur einen Moment…", headers: { "cf-mitigated": "challenge" } }),
  ]),
  ...onSites("wall", "anubis", [
    () => ({
      title: "Making sure you&#39;re not a bot!",
      head: '<script id="anubis_version" type="application/json">"v1.19.1"</script><script id="anubis_challenge" type="application/json">{"rules":{"difficulty":4}}</script>',
      body: '<h1 id="title">Making sure you&#39;re not a bot!</h1><img src="/.within.website/x/cmd/anubis/static/img/pensive.webp">',
    }),
    () => ({
      title: "Wir prüfen, dass Sie kein Bot sind",
      body: '<script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>',
    }),
  ]),
  ...onSites("wall", "incapsula", [
    () => ({
      head: '<META NAME="robots" CONTENT="noindex,nofollow">',
      body: '<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&xinfo=5-1&incident_id=1" frameborder=0>Request unsuccessful. Incapsula incident ID: 1-2</iframe>',
    }),
    () => ({
      head: '<script src="/_Incapsula_Resource?SWJIYLWA=5074a744e2e3d891814e9a2dace20bd4"></script>',
    }),
  ]),
  ...onSites("wall", "perimeterx", [
    () => ({
      title: "Access to this page has been denied",
      body: '<div id="px-captcha"></div><script src="https://captcha.px-cloud.net/PX1/captcha.js"></script>',
    }),
    () => ({ title: "Human Verification", body: "<p>Press &amp; Hold to confirm you are a human</p>" }),
  ]),
  ...onSites("wall", "datadome", [
    () => ({
      title: "j.example",
      body: "<p id=\"cmsg\">Please enable JS and disable any ad blocker</p><script>var dd={'rt':'c','host':'geo.captcha-delivery.com'}</script>",
    }),
  ]),
  ...onSites("wall", "aws-waf", [
    () => ({ headers: { "x-amzn-waf-action": "challenge" }, body: script(80) }),
    () => ({
      title: "",
      head: '<script>window.awsWafCookieDomainList=[];window.gokuProps={"key":"x"};</script>',
    }),
    () => ({ title: "Human Verification", headers: { "x-amzn-waf-action": "captcha" } }),
  ]),
  ...onSites("wall", "shibboleth", [
    (_site, index) => ({
      title: "Login",
      urls: [
        "https://j.example/articles/1",
        `https://idp${index}.uni.example/idp/profile/SAML2/Redirect/SSO?execution=e1s1`,
      ],
      body: '<form action="/idp/profile" method="post"><input name="j_username"><input type="password" name="j_password"><button name="_eventId_proceed">Login</button></form>',
    }),
    () => ({
      title: "Choose your institution",
      urls: ["https://j.example/a/1", "https://sp.example/Shibboleth.sso/Login?target=x"],
    }),
    () => ({
      title: "Note: Since your browser does not support JavaScript",
      body: '<form method="post" action="https://idp.example/sso"><input type="hidden" name="SAMLRequest" value="x"></form>',
    }),
  ]),
  ...onSites("wall", "ezproxy", [
    () => ({ title: "Login", headers: { server: "EZproxy" }, body: "<form></form>" }),
    (site) => ({
      title: `${site}: Database Login`,
      urls: ["https://j.example/a/1", "https://login.ezproxy.uni.example/login?url=https://j.example/a/1"],
      body: '<form action="/login" method="post"><input name="url"><input type="text" name="user"><input type="password" name="pass"></form>',
    }),
  ]),
  ...onSites("wall", "login", [
    (site) => ({
      title: `Sign in - ${site}`,
      urls: ["https://j.example/a/1", "https://j.example/login?next=/a/1"],
      body: "<h1>Sign in</h1>",
    }),
    (site) => ({
      title: `Anmelden | ${site}`,
      urls: ["https://j.example/a/1", "https://sso.example/auth/login.php?service=j"],
      body: "<h1>Anmelden</h1>",
    }),
  ]),
  ...onSites("wall", "others", [
    () => ({
      title: "Access Denied",
      body: "<h1>Access Denied</h1>You don't have permission to access this server.<p>Reference&#32;&#35;18&#46;5 https&#58;&#47;&#47;errors&#46;edgesuite&#46;net",
    }),
    () => ({
      title: "Request Rejected",
      body: "The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: 1234567890",
    }),
    () => ({ title: "Pardon Our Interruption", body: "<h1>Pardon Our Interruption...</h1>" }),
    () => ({ title: "Vercel Security Checkpoint", body: "<p>We're verifying your browser</p>" }),
    () => ({
      title: "DDoS-Guard",
      body: '<script src="/.well-known/ddos-guard/js-challenge/index.js"></script><h1>Checking your browser before accessing</h1>',
    }),
    () => ({ title: "Sucuri WebSite Firewall - Access Denied", body: "<h1>Access Denied</h1>" }),
    () => ({ title: "Radware Captcha Page", body: "<p>We apologize for the inconvenience</p>" }),
    () => ({ title: "Bot Verification", body: "<p>Verifying that you are not a robot...</p>" }),
    () => ({
      title: "Client Challenge",
      body: "<noscript>JavaScript is disabled in your browser.</noscript>",
    }),
    () => ({
      title: "One moment, please...",
      body: "<h1>Please wait while your request is being verified...</h1>",
    }),
  ]),
];

/** Titles and headings of error pages, by language. */
const phrases: string[] = [
  ...[
    "404",
    "Error 404",
    "404 Not Found",
    "404 - Page not found",
    "Page not found",
    "Not Found",
    "Article not found",
  ],
  ...[
    "The requested page could not be found",
    "The page you requested was not found.",
    "Sorry, this page is no longer available",
  ],
  ...[
    "Oops! That page can’t be found.",
    "We can't find that page",
    "Item not found",
    "Record has been deleted",
    "Error 404 (Not Found)",
  ],
  ...[
    "Seite nicht gefunden",
    "404 – Seite nicht gefunden",
    "Fehler 404",
    "Die angeforderte Seite wurde nicht gefunden",
    "Der Artikel ist nicht mehr verfügbar",
  ],
  ...["Die Seite konnte leider nicht gefunden werden.", "Dokument nicht gefunden"],
  ...[
    "Page non trouvée",
    "Page introuvable",
    "Erreur 404",
    "404 : page introuvable",
    "La page demandée est introuvable",
    "La page que vous recherchez n’existe pas",
  ],
  ...[
    "Página no encontrada",
    "Error 404: Página no encontrada",
    "La página solicitada no existe",
    "Artículo no encontrado",
    "Lo sentimos, página no encontrada",
  ],
  ...[
    "Pagina non trovata",
    "Errore 404",
    "404 - Pagina non trovata",
    "La pagina richiesta non esiste",
    "La pagina non è disponibile",
  ],
  ...[
    "Página não encontrada",
    "Erro 404",
    "404 - Página não encontrada",
    "A página solicitada não foi encontrada",
    "Artigo não encontrado",
  ],
];

/** Texts of error pages whose titles are those of the site. */
const texts: string[] = [
  "The page you are looking for does not exist.",
  "Sorry, the article you requested could not be found.",
  "The record has been deleted.",
  "Die Seite, die Sie suchen, gibt es nicht. Die Seite wurde nicht gefunden.",
  "Der Datensatz ist nicht mehr vorhanden.",
  "La page que vous recherchez n’existe plus.",
  "La página que busca no existe.",
  "La pagina richiesta non è stata trovata.",
  "A página que procura não foi encontrada.",
];

export const gone: Animal[] = [
  ...phrases.flatMap((phrase, index): Animal[] => {
    const site = sites[index % sites.length] as string;
    const titled = (title: string, body: string) => ({
      truth: "gone-likely" as const,
      made: "title-gone",
      response: respond({ title, body }),
    });
    return [
      titled(phrase, `<h1>${phrase}</h1><p>Try the search.</p>`),
      titled(`${phrase} | ${site}`, `${menu(site)}<h1>${phrase}</h1>${footer}`),
      titled(`${site} - ${phrase}`, `${menu(site)}${script(3000)}<div>${phrase}</div>${footer}`),
      {
        truth: "gone-likely",
        made: "heading-gone",
        response: respond({
          title: site,
          body: `${menu(site)}${script(20_000 * (index % 2))}<h1>${phrase}</h1>${footer}`,
        }),
      },
    ].filter(({ made }) => made === "title-gone" || index % 2 === 0) as Animal[];
  }),
  ...texts.flatMap((text, index): Animal[] => [
    {
      truth: "gone-likely",
      made: "text-gone",
      response: respond({ title: sites[index % sites.length] ?? "", body: `<p>${text}</p>` }),
    },
    {
      truth: "gone-likely",
      made: "text-gone",
      response: respond({ title: "Error", body: `${menu("J")}<h2>Error</h2><p>${text}</p>${footer}` }),
    },
  ]),
  ...onSites("gone-likely", "repository-withdrawn", [
    (site) => ({
      title: `${site} :: Home`,
      body: `${menu(site)}<p>The selected item is withdrawn and is no longer available.</p>`,
    }),
    (site) => ({
      title: site,
      body: `<h2>Item Withdrawn</h2><p>This item has been withdrawn from the repository.</p>`,
    }),
    () => ({
      title: "A title of long ago - EPrints",
      body: "<p>This eprint has been retired by its author.</p>",
    }),
  ]),
  ...onSites("gone-likely", "ojs-missing", [
    (site) => ({
      title: site,
      head: '<meta name="generator" content="Open Journal Systems 3.3.0.13">',
      body: `${menu(site)}<p>The requested article is not currently published.</p>`,
    }),
  ]),
  ...onSites("gone-likely", "parked", [
    () => ({
      title: "j.example",
      body: '<script src="https://d38psrni17bvxu.cloudfront.net/scripts/js3.js"></script>',
    }),
    () => ({
      title: "j.example",
      head: '<script>window.park = "e30=";</script>',
      body: "<div id=target></div>",
    }),
    () => ({
      title: "j.example - This website is for sale!",
      body: '<script src="https://img.sedoparking.com/js/x.js"></script>',
    }),
  ]),
  ...onSites("gone-likely", "for-sale", [
    () => ({
      title: "j.example",
      body: "<h1>j.example</h1><p>The domain j.example is for sale. Buy now.</p>",
    }),
    () => ({ title: "j.example", body: "<p>Diese Domain steht zum Verkauf.</p>" }),
    () => ({ title: "j.example", body: "<p>Ce nom de domaine est à vendre</p>" }),
  ]),
  ...onSites("gone-likely", "suspended", [
    () => ({
      title: "Account Suspended",
      body: "<h1>Account Suspended</h1><p>Contact your hosting provider.</p>",
    }),
    () => ({ title: "This Account has been suspended.", body: "<p>Please contact support.</p>" }),
    () => ({
      title: "Website",
      urls: ["https://j.example/a/1", "https://j.example/cgi-sys/suspendedpage.cgi"],
    }),
  ]),
  ...onSites("gone-likely", "default-page", [
    () => ({
      title: "Welcome to nginx!",
      body: "<h1>Welcome to nginx!</h1><p>Thank you for using nginx.</p>",
    }),
    () => ({ title: "Apache2 Ubuntu Default Page: It works", body: "<p>It works!</p>" }),
    () => ({ title: "IIS Windows Server", body: '<img src="iisstart.png">' }),
    () => ({ title: "Index of /", body: "<h1>Index of /</h1>" }),
  ]),
  ...onSites("gone-likely", "redirected-home", [
    (site) => ({
      title: site,
      urls: ["https://j.example/articles/1234", "https://www.j.example/"],
      body: `${menu(site)}<h1>${site}</h1>${lorem.repeat(30)}`,
    }),
    (site) => ({
      title: site,
      urls: ["http://j.example/view.php?id=12", "https://j.example/", "https://j.example/en/"],
      body: lorem.repeat(9),
    }),
    (site) => ({
      title: site,
      urls: ["https://j.example/handle/1/22", "https://j.example/index.html"],
      body: lorem,
    }),
  ]),
  ...onSites("gone-likely", "refreshes-to-error", [
    () => ({ title: "", head: '<meta http-equiv="Refresh" content="0; url=/404.html">' }),
    () => ({ title: "", headers: { refresh: "0; url=https://j.example/errors/not-found" } }),
    () => ({ title: "", body: '<script>window.location.replace("/pagenotfound.aspx?from=x")</script>' }),
    () => ({ title: "Journal", urls: ["https://j.example/a/1", "https://j.example/error-404"], body: lorem }),
  ]),
];

const works = [
  "A History of Lost Books",
  "404 Not Found: the web's missing pages",
  "Page not found: memory and forgetting in digital archives",
  "Not found, not lost: libraries and link rot",
  "Captcha and accessibility: a survey",
  "This page has been removed: censorship in the 21st century",
  "Access denied: borders and migration",
  "Welcome to the machine: early computing",
  "Human verification of machine translation",
  "Fehler 404 als Kulturtechnik",
  "The domain is for sale: an economic analysis of domain names",
  "Security checks at airports: a critical review",
  "Gelöscht! Über das Vergessen im Netz",
  "Página perdida: crónica de un archivo",
];

const kinds: [made: string, look: (work: string, site: string, index: number) => Look][] = [
  [
    "an article with metadata",
    (work, site) => ({
      title: `${work} | ${site}`,
      head: `<meta name="citation_title" content="${work}"><meta name="citation_author" content="A. Author">`,
      body: `${menu(site)}<h1>${work}</h1><p>${lorem.repeat(40)}</p>${footer}`,
    }),
  ],
  [
    "an item without text",
    (work, site) => ({
      title: `${site}: ${work}`,
      head: `<meta name="DC.title" content="${work}">`,
      body: `${menu(site)}<h1>${work}</h1><a href="/1.pdf">PDF</a>${footer}`,
    }),
  ],
  [
    "a post without metadata",
    (work, site) => ({
      title: `${work} – ${site}`,
      body: `${menu(site)}<h1>${work}</h1><p>${lorem.repeat(60)}</p>${footer}`,
    }),
  ],
  ["a short page", (work) => ({ title: work, body: `<h1>${work}</h1><p>${lorem}</p>` })],
  [
    "a page of a protected site",
    (work, site) => ({
      title: `${work} - ${site}`,
      head: '<script>window._pxAppId="PX1";</script><script src="https://js.datadome.co/tags.js"></script><script src="/_Incapsula_Resource?SWJIYLWA=1"></script>',
      body: `<h1>${work}</h1><p>${lorem.repeat(8)}</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><script src="https://www.google.com/recaptcha/api.js"></script>`,
      headers: { server: "cloudflare", "cf-ray": "8" },
    }),
  ],
  [
    "a page with a login form",
    (work, site) => ({
      title: `${work} | ${site}`,
      body: `<form action="/signin"><input name="user"><input type="password" name="pw"></form><h1>${work}</h1>${lorem.repeat(20)}`,
    }),
  ],
  [
    "a page after redirects",
    (work, site, index) => ({
      title: work,
      urls: [
        "https://doi.example/10.1/x",
        `https://www.j.example/articles/${index}`,
        `https://www.j.example/articles/${index}/`,
      ],
      body: `<h1>${work}</h1>${lorem.repeat(9)} ${site}`,
    }),
  ],
  [
    "a page at the address of a number",
    (work, site, index) => ({
      title: `${work} | ${site}`,
      urls: [
        "http://doi.example/10.1/x",
        ["https://j.example/articles/404", "https://j.example/a/not-found-in-archives"][index % 2] ?? "",
      ],
      body: `<h1>${work}</h1>${lorem.repeat(9)}`,
    }),
  ],
  [
    "a journal's home page",
    (_work, site, index) => ({
      title: site,
      urls:
        [
          ["http://j.example/", "https://j.example/en/"],
          ["https://j.example/home", "https://j.example/"],
        ][index % 2] ?? [],
      body: `${menu(site)}<h1>${site}</h1>${lorem.repeat(4)}`,
    }),
  ],
  [
    "a page that refreshes",
    (work) => ({
      title: work,
      head: '<meta http-equiv="refresh" content="0; url=/articles/1/full.html">',
      body: `<a href="/articles/1/full.html">${work}</a>`,
    }),
  ],
  [
    "a page that mentions errors",
    (work, site) => ({
      title: `${work} | ${site}`,
      body: `<h1>${work}</h1><p>${lorem.repeat(14)} In 2009 the page was not found on the server, and the record has been deleted. ${lorem.repeat(3)}</p>`,
    }),
  ],
  ["a full text", (work) => ({ title: work, body: `<h1>${work}</h1><p>${lorem.repeat(400)}</p>` })],
  [
    "a page of a script",
    (_work, site) => ({
      title: site,
      head: '<script src="/static/js/main.js" defer></script>',
      body: `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>`,
    }),
  ],
  ["a PDF", () => ({ headers: { "content-type": "application/pdf" }, body: "404 Not Found" })],
  [
    "a record of a catalogue",
    (work, site) => ({
      title: `${site} - ${work}`,
      body: `<table><tr><th>Title</th><td>${work}</td></tr><tr><th>Status</th><td>available</td></tr></table>`,
    }),
  ],
  [
    "a page of a single-page viewer",
    (work, site) => ({ title: `${site} | ${work}`, body: `${script(20_000)}<main>${lorem}</main>` }),
  ],
];

export const living: Animal[] = kinds.flatMap(([made, look]) =>
  works.flatMap((work, row) =>
    sites.map((site, column) => ({
      truth: "alive" as const,
      made,
      response: respond(look(work, site, row + column)),
    })),
  ),
);

/** Responses that were written without a look at the signs. */
export const unseen: Animal[] = [
  ...[
    "Hmm, we can't find that page",
    "The page you were looking for doesn't exist.",
    "Whoops! Page not found",
    "Error 404 - Page Not Found",
    "Sorry, we couldn't find that page",
    "Resource not found",
    "Seite nicht gefunden (404)",
    "Fehler 404 – Datei nicht gefunden",
    "Page non trouvée (404)",
    "Oups ! Page introuvable",
    "Error 404 - No encontrado",
    "Página no disponible",
    "Siamo spiacenti, la pagina non esiste",
    "Página não existe",
    "Item has been removed",
    "The requested URL was not found",
    "This article is no longer available",
    "404 Error",
    "404 File Not Found",
    "No such document",
    "Lost in space",
  ].map(
    (title): Animal => ({
      truth: "gone-likely",
      made: "unseen",
      response: respond({ title, body: `<h1>${title}</h1>` }),
    }),
  ),
  ...[
    "Checking your browser...",
    "Verify you are human",
    "Security Check",
    "Please wait...",
    "Are you a robot?",
    "Robot or human?",
    "Verifying you are human",
    "Please verify you are a human",
  ].map(
    (title): Animal => ({ truth: "wall", made: "unseen", response: respond({ title, body: "<div></div>" }) }),
  ),
];
