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

/** One request for a page, with all that a page may know. */
export interface PageRequest {
  /** The API, as this caller may use it. */
  api: Api;
  caller: Caller;
  texts: Texts;
  language: Language;
  /** Where captures are shown, on an origin of its own; absent where there is no such place. */
  replayOrigin?: string | undefined;
  /** The operator's time zone, an IANA name. */
  zone: string;
  now: Date;
  /** The address, with its query. */
  url: URL;
  /** The parameters of the path, decoded. */
  params: Readonly<Record<string, string>>;
  /** The fields of a form, each with its last value; empty for GET. */
  form: Readonly<Record<string, string>>;
  /** All values of a field, such as those of check boxes. */
  formValues: (name: string) => string[];
  /** Goes into every form; `parts/form.ts` and `parts/action.ts` do so. */
  csrf: string;
}

/** What a page shows once, after an action. */
export interface Notice {
  text: string;
  /** How the action is undone: a POST of these fields. */
  undo?: { to: string; fields: Record<string, string> };
}

export type PageAnswer =
  /** A page in the frame. `live`: what it shows continues changing, so it updates itself. */
  | {
      title: string;
      body: Html;
      status?: 200 | 400 | 403 | 404 | 409 | 429 | 500 | 502 | 503;
      live?: boolean;
    }
  /** After a POST: where to continue, with a notice there. */
  | { redirect: string; notice?: Notice }
  /** A file that the API has led to: its address elsewhere. */
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
  /** The least role that may see or do it. */
  audience: Role;
  /** The section that the navigation marks. */
  section: Section;
  /** Whether the navigation leads here: one page of each section. */
  isEntry?: boolean;
  answer(request: PageRequest): Promise<PageAnswer>;
}
