/** `ingather/robots`: robots.txt, interpreted as by RFC 9309 and common parsers. */
export { type RobotsRules, readRobots, robotsText } from "../../shared/web/robots/robots.ts";
