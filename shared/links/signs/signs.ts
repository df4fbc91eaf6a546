import { goneWhole, goneWithin } from "./gone-phrases.ts";
import type { PageFacts } from "./page-facts.ts";
import type { Sign } from "./sign.ts";

/** Walls: the response asks who we are, and says nothing about the page. Seen in 2026-11 unless said otherwise. */
const walls: readonly Omit<Sign, "finding">[] = [
  { id: "cloudflare-challenge", name: "Cloudflare challenge", header: ["cf-mitigated", /^challenge/] },
  {
    id: "cloudflare-page",
    name: "Cloudflare challenge",
    // Cloudflare also adds scripts to pages that it lets through.
    markup:
      /\b_cf_chl_opt\b|\/cdn-cgi\/challenge-platform\/h\/\w\/orchestrate\/|cf-browser-verification|id="cf-error-details"/,
  },
  {
    id: "anubis",
    name: "Anubis",
    markup: /id="anubis_(?:challenge|version)"|\/\.within\.website\/x\/cmd\/anubis\//,
  },
  { id: "incapsula", name: "Imperva Incapsula", markup: /id="main-iframe"|\bIncapsula incident ID\b/ },
  {
    id: "incapsula-script",
    name: "Imperva Incapsula",
    markup: /_Incapsula_Resource\b/,
    // The script is also added to pages that are let through.
    is: ({ markup, text }) => markup.length < 1500 && text === "",
  },
  { id: "perimeterx", name: "PerimeterX", markup: /captcha\.px-(?:cdn|cloud)\.net|id="px-captcha"/ },
  { id: "datadome", name: "DataDome", markup: /\b(?:geo\.|ct\.|interstitial\.)?captcha-delivery\.com\b/ },
  { id: "aws-waf", name: "AWS WAF", header: ["x-amzn-waf-action", /^(?:challenge|captcha)/] },
  {
    id: "aws-waf-page",
    name: "AWS WAF",
    markup:
      /\bgokuProps\b|\bAwsWafIntegration\.(?:checkForceRefresh|saveReferrer|forceRefreshToken)\b|\bawsWafCookieDomainList\b/,
  },
  {
    id: "akamai",
    name: "Akamai",
    title: /^access denied$/,
    markup: /\bedgesuite\.net\b|&#46;edgesuite&#46;net|Reference&#32;&#35;/,
  },
  { id: "sucuri", name: "Sucuri", markup: /Sucuri WebSite Firewall|\bsucuri_cloudproxy_js\b/ },
  { id: "ddos-guard", name: "DDoS-Guard", markup: /\/\.well-known\/ddos-guard\/|<title>DDoS-Guard/ },
  { id: "distil", name: "Imperva", title: /^pardon our interruption/ },
  { id: "f5", name: "F5", title: /^request rejected$/, text: /your support id is/ },
  { id: "radware", name: "Radware", title: /^radware (?:bot manager )?(?:captcha|page)/ },
  { id: "vercel", name: "Vercel", title: /^vercel security checkpoint$/ },
  {
    id: "browser-check",
    name: "a check of the browser",
    title:
      /^(?:just a moment|one moment,? please|please wait|attention required!?|are you (?:a )?(?:robot|human)\??|robot (?:check|or human\??)|human verification|bot (?:verification|detection|check)|verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?human|verification required|security (?:check(?:point)?|verification)|client challenge|checking your browser(?: before accessing.*)?|ddos protection.*|captcha(?: challenge)?|making sure you(?:'|’)re not a bot!?|validating request|validation request|access to this page has been denied|unusual traffic.*)(?:\.{2,3}|…)?$/,
    is: ({ describesWork }) => !describesWork,
  },
  {
    id: "needs-javascript",
    name: "a check of the browser",
    text: /^(?:[^.]{0,60}[. ])?(?:please (?:enable|turn on) (?:js|javascript)(?: and (?:cookies|disable any ad blocker))|enable javascript and cookies to continue|checking your browser before accessing|verifying you are (?:a )?human)/,
  },
  {
    id: "shibboleth",
    name: "a Shibboleth login",
    finalUrl:
      /\/idp\/profile\/saml2?\/|\/shibboleth\.sso\/(?:login|ds|wayf)|\/simplesaml\/(?:module\.php|saml2)|\/openathens\b|\/wayf\b|[?&]samlrequest=/,
  },
  {
    id: "saml-post",
    name: "a Shibboleth login",
    markup: /<form[^>]{0,300}>[\s\S]{0,500}name="SAMLRequest"/i,
    is: ({ describesWork }) => !describesWork,
  },
  {
    id: "shibboleth-page",
    name: "a Shibboleth login",
    markup: /name="j_username"|name="_eventId_proceed"/,
    is: ({ describesWork }) => !describesWork,
  },
  { id: "ezproxy", name: "an EZproxy login", header: ["server", /^ezproxy/i] },
  {
    id: "ezproxy-page",
    name: "an EZproxy login",
    markup:
      /<form[^>]{0,200}action="?(?:https?:\/\/[^/"]{1,100})?\/login"?[^>]{0,100}>[\s\S]{0,2000}name="?user"?[\s\S]{0,1000}name="?pass"?/i,
    is: ({ describesWork }) => !describesWork,
  },
  {
    id: "login",
    name: "a login",
    finalUrl:
      /\/(?:login|log-in|signin|sign-in|sign_in|cas\/login|users\/sign_in|oauth2?\/authori[sz]e|accounts?\/login|user\/login|anmelden?|connexion)(?:[/.?#]|$)/,
    is: ({ describesWork }) => !describesWork,
  },
];

/** The address of an error page. The number of a work may be 404, too, and its name may begin with "not-found-". */
const errorAddress =
  /^[a-z]+:\/\/[^/]+\/(?:[a-z]{2}\/|errors?\/|pages?\/)*404(?:[./?#]|$)|[/_.=-](?:(?:page[-_]?)?not[-_]?found|error[-_]?404|404[-_]?error)(?:[/.?&#]|$)/;

/** The page says, or its form shows, that it is not the page that it was. */
const gone: readonly Omit<Sign, "finding">[] = [
  {
    id: "title-gone",
    name: "a title that says that the page is gone",
    title: goneWhole,
    is: (facts) => saysLittleElse(facts),
  },
  {
    id: "heading-gone",
    name: "a heading that says that the page is gone",
    heading: goneWhole,
    is: ({ describesWork }) => !describesWork,
  },
  {
    id: "text-gone",
    name: "a text that says that the page is gone",
    text: goneWithin,
    is: (facts) => !facts.describesWork && isUntitled(facts),
  },
  {
    id: "repository-withdrawn",
    name: "an item that its repository has withdrawn",
    text: /(?:this|the (?:selected|requested)) (?:item|eprint|record|article|preprint|submission) (?:is|has been|was) (?:withdrawn|retired|removed|deleted|unpublished)(?: (?:from|by) |[.,]| and )/,
  },
  {
    id: "ojs-missing",
    name: "an article that Open Journal Systems does not have",
    markup: /<meta name="generator" content="Open Journal Systems/i,
    text: /(?:requested|specified) (?:article|issue|galley|submission|resource) (?:was not found|does not exist|is not (?:currently )?(?:published|available)|cannot be found)/,
  },
  {
    id: "parked",
    name: "a parked domain",
    markup:
      /\b(?:parkingcrew\.net|sedoparking\.com|bodis\.com|parklogic\.com|above\.com\/marketplace|afternic\.com\/forsale|dan\.com\/buy-domain|d38psrni17bvxu\.cloudfront\.net|parked-content\.godaddy\.com)\b|window\.park\s*=/i,
  },
  {
    id: "for-sale",
    name: "a domain for sale",
    text: /(?<=\.[a-z]{2,20} |this (?:domain(?: name)?|web address) )(?:is|may be|might be) (?:for sale|parked)(?!:)|(?:buy|inquire about) this domain|(?:diese )?domain (?:steht zum verkauf|ist geparkt|zu verkaufen)|ce (?:nom de )?domaine est à vendre|este dominio está (?:en|a la) venta|questo dominio è in vendita|este domínio está à venda/,
  },
  {
    id: "suspended",
    name: "a suspended account",
    title:
      /^(?:this )?(?:account|site|website|domain|web ?site|hosting account)(?: has been| is)? (?:suspended|disabled|deactivated|expired)[.!]?$/,
  },
  {
    id: "suspended-address",
    name: "a suspended account",
    finalUrl: /\/cgi-sys\/(?:suspendedpage|defaultwebpage)\.cgi|\/suspended\.page/,
  },
  {
    id: "default-page",
    name: "the default page of a server",
    title:
      /^(?:welcome to nginx!?|welcome to (?:caddy|openresty|tengine|centos|fedora|plesk)!?|apache2? (?:ubuntu|debian|centos)? ?default page: it works|it works!?|iis windows(?: server)?|iis\d+|(?:apache )?http server test page.*|test page for the (?:apache|nginx|http).*|(?:domain )?default page|default web site page|web server's default page|index of \/|apache tomcat(?:\/[\d.]+)?|placeholder page|future home of something quite cool.*|site (?:not|is not) (?:published|configured)|coming soon)[.!]?$/,
    is: ({ describesWork }) => !describesWork,
  },
  {
    id: "redirected-home",
    name: "a redirect to the home page",
    is: isHomeInstead,
  },
  {
    id: "refreshes-to-error",
    name: "a page that leads to an error page",
    refresh: errorAddress,
  },
  {
    id: "error-address",
    name: "an error page",
    finalUrl: errorAddress,
    is: ({ describesWork }) => !describesWork,
  },
];

/** All signs. Walls come first: a wall may look like a page that is gone. */
export const signs: readonly Sign[] = [
  ...walls.map((sign) => ({ ...sign, finding: "wall" as const })),
  ...gone.map((sign) => ({ ...sign, finding: "gone-likely" as const })),
];

/** Decides whether a page whose title says that it is gone also says so otherwise, or says little. */
function saysLittleElse({ describesWork, heading, text }: PageFacts): boolean {
  return !describesWork && (heading === "" || text !== "" || goneWhole.test(heading));
}

/** Decides whether a title is that of an error, or says nothing. */
function isUntitled({ titles, heading }: PageFacts): boolean {
  const isError = (text: string) =>
    /\berror\b|\bfehler\b|\berreur\b|\berrore\b|\berro\b|404|not found|sorry|oops/.test(text);
  return heading === "" || isError(heading) || titles.some(isError);
}

/** Decides whether an address of a work led to the home page of the same site. */
function isHomeInstead({ firstUrl, lastUrl, describesWork }: PageFacts): boolean {
  const [from, to] = [URL.parse(firstUrl), URL.parse(lastUrl)];
  if (from === null || to === null || firstUrl === lastUrl || describesWork) return false;
  const isHome =
    /^\/(?:(?:[a-z]{2}(?:[-_][a-z]{2})?)\/?)?(?:index\.\w{2,5}|home|default\.aspx?)?$/i.test(to.pathname) &&
    to.search === "";
  const isDeep =
    from.pathname.split("/").filter((part) => part !== "").length >= 2 ||
    /\d/.test(from.pathname + from.search);
  return isHome && isDeep && bareName(from) === bareName(to);
}

function bareName({ hostname }: URL): string {
  return hostname.replace(/^www\d?\./, "");
}
