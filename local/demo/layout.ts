import { html, raw } from "hono/html";
import { journal } from "./articles.ts";

/** HTML that is already escaped. */
export type Markup = ReturnType<typeof html>;

/** Name and content. A tag without content is omitted. */
export type MetaTag = [name: string, content: string | undefined];

interface PageContent {
  title: string;
  language: string;
  /** The head elements after the title. */
  head?: Markup;
  main: Markup;
}

const style = `
  :root { color-scheme: light dark; --ink: light-dark(#2b2520, #ece4d8); --paper: light-dark(#fdfaf4, #1f1b18);
    --quiet: light-dark(#766a5e, #a79b8d); --lamp: light-dark(#9a5a10, #e9ab55); }
  body { margin: 0 auto; max-width: 38rem; padding: 2rem 1.25rem; color: var(--ink); background: var(--paper);
    font: 1.05rem/1.6 Georgia, "Times New Roman", serif; }
  header { border-bottom: 2px solid var(--lamp); margin-bottom: 2rem; }
  header a { font-size: 1.4rem; text-decoration: none; }
  h1 { font-size: 1.7rem; line-height: 1.25; }
  a { color: var(--lamp); }
  li { margin-bottom: 0.9rem; }
  footer { border-top: 1px solid var(--quiet); margin-top: 3rem; }
  header p, footer, .quiet { color: var(--quiet); font-size: 0.9rem; }
`;

/** Renders the layout that all pages of the journal share. */
export async function layout({ title, language, head, main }: PageContent): Promise<string> {
  return String(
    await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
<link rel="alternate" type="application/rss+xml" title="${journal.title}" href="/feed.xml">
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<header lang="en">
<a href="/">${journal.title}</a>
<p>${journal.subtitle} · ISSN ${journal.issn}</p>
</header>
<main>
${main}
</main>
<footer lang="en">
<p>This journal is invented, and so is everything in it. It is here to be harvested.</p>
</footer>
</body>
</html>
`,
  );
}
