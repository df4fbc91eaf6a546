import type { HtmlEscapedString } from "hono/utils/html";
import type { Role } from "../api/role.ts";
import type { Api } from "./api.ts";
import type { Texts } from "./texts/en.ts";
import type { Language } from "./texts/languages.ts";

/** Markup whose inserted values are escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The signed-in user. */
export interface Caller {
  name: string;
  role: Role;
}

/** A request for a page, with all data that is available to a page. */
export interface PageRequest {
  /** The API with the permissions of this caller. */
  api: Api;
  caller: Caller;
  texts: Texts;
  language: Language;
  /** The separate origin on which captures are shown; absent when there is none. */
  replayOrigin?: string | undefined;
  /** The operator's time zone, an IANA name. */
  zone: string;
  now: Date;
  /** The address with its query. */
  url: URL;
  /** The parameters of the path, decoded. */
  params: Readonly<Record<string, string>>;
  /** The fields of a form, each with its last value; empty for GET. */
  form: Readonly<Record<string, string>>;
  /** All values of a field, such as those of check boxes. */
  formValues: (name: string) => string[];
  /** The token that every form must contain. `parts/form.ts` and `parts/action.ts` add it. */
  csrf: string;
}

/** A message that a page shows once, after an action. */
export interface Notice {
  text: string;
  /**
   * The POST that undoes the action, with its fields. `label`: the button of the POST that is offered in its place, for an
   * action that cannot be undone.
   */
  undo?: { to: string; fields: Record<string, string>; label?: string | undefined };
}

export type PageAnswer =
  /** A page in the frame. `live`: the content is still changing, so the page updates itself. */
  | {
      title: string;
      body: Html;
      status?: 200 | 400 | 403 | 404 | 409 | 429 | 500 | 502 | 503;
      live?: boolean;
    }
  /** After a POST: the page to which the browser is redirected, with the notice that it shows. */
  | { redirect: string; notice?: Notice }
  /** A file to which the API has led: its address on another server. */
  | { download: string }
  /** A list as CSV. */
  | { csv: string; fileName: string };

/** The sections of the navigation, in its order. */
export const sections = [
  "today",
  "sources",
  "records",
  "refused",
  "rules",
  "deliveries",
  "collections",
  "documents",
  "snapshots",
  "hosts",
  "mails",
  "events",
] as const;

export type Section = (typeof sections)[number];

/** One page, or one action of a page: a row of the table of pages. */
export interface Page {
  method: "GET" | "POST";
  /** Parameters in braces, as in `/console/sources/{id}`. */
  path: `/console${string}`;
  /** The lowest role that may see the page or perform the action. */
  audience: Role;
  /** The section that the navigation marks. */
  section: Section;
  /** Whether the navigation leads to this page. Each section has one such page. */
  isEntry?: boolean;
  answer(request: PageRequest): Promise<PageAnswer>;
}
