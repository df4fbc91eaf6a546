/** `ingather/robots`: robots.txt as RFC 9309 and the common parsers read it. */
export { type RobotsRules, readRobots, robotsText } from "../../shared/web/robots/robots.ts";
