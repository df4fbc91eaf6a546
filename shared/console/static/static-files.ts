import { digest } from "../../core/digest.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

interface StaticFile {
  /** The path contains the digest of the file's content, so the file may be cached forever. */
  path: string;
  contentType: string;
  content: string;
}

function staticFile(name: string, ending: string, contentType: string, content: string): StaticFile {
  return { path: `/console/static/${name}-${digest(content)}.${ending}`, contentType, content };
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b5aa8" d="M2 2h12v3H9.5v6H14v3H2v-3h4.5V5H2z"/></svg>';

export const styleFile = staticFile("style", "css", "text/css; charset=utf-8", style.trim());
export const scriptFile = staticFile("script", "js", "text/javascript; charset=utf-8", script.trim());
export const iconFile = staticFile("icon", "svg", "image/svg+xml", icon);

export const staticFiles: readonly StaticFile[] = [styleFile, scriptFile, iconFile];
