import type { Page } from "./page.ts";
import { todayPages } from "./today.ts";

/** Every page of the console and every action of one: the one table of it, in the order of the navigation. */
export const pages: readonly Page[] = [...todayPages];
