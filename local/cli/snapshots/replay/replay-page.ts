import { html } from "hono/html";
import type { ReplayComponent } from "./replay-component.ts";

/**
 * Returns the page that shows a capture. It has only the replay component, in a sandboxed frame, and links to
 * the component's licence and source.
 * @param title names the capture
 * @param wacz the path of the package
 * @see https://replayweb.page/docs/embedding/
 */
export function replayPage(
  component: ReplayComponent,
  { title, wacz }: { title: string; wacz: string },
): string {
  const { name, version, license, source } = component;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="stylesheet" href="/replay.css" />
    <script src="/replay/ui.js"></script>
  </head>
  <body>
    <main>
      <replay-web-page
        source="${wacz}"
        replaybase="/replay/"
        embed="default"
        view="pages"
        newwindowbase="/"
        deeplink
        sandbox
        nocache
      ></replay-web-page>
    </main>
    <footer>
      Shown by ${name} ${version}, unchanged. Licence: ${license}. <a href="${source}" rel="noreferrer">Source</a>
    </footer>
  </body>
</html>
`.toString();
}

export const replayStyle = `html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; font: 14px sans-serif; }
main { flex: 1; min-height: 0; }
replay-web-page { display: block; height: 100%; }
footer { padding: 4px 8px; border-top: 1px solid #ccc; }
`;
