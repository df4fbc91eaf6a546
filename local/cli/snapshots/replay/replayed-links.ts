import { get, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { digest } from "../../../../shared/core/digest.ts";
import type { ReplayedCaptures, ReplayedPackage } from "./replay-server.ts";

/**
 * The maximum number of open packages. A viewer reads a package in parts; the package that was opened longest
 * ago is removed.
 */
const mostPackages = 100;

/**
 * Shows packages in the store of the local cloud, at `/look?package=URL&title=TEXT`. URL is a URL that the
 * API has signed. It is valid for an hour, and gives access to nothing else in the store.
 * @param store the origin of the store, once it has started; a URL of another origin is not requested
 */
export function replayedLinks(store: () => string | undefined): ReplayedCaptures {
  const packages = new Map<string, ReplayedPackage>();
  return {
    async page({ pathname, searchParams }) {
      const url = URL.parse(searchParams.get("package") ?? "");
      if (pathname !== "/look" || url === null || url.origin !== store()) return undefined;
      const sizeBytes = await sizeOf(url);
      if (sizeBytes === undefined) return undefined;
      const wacz = `/${digest("capture", url.href)}.wacz`;
      const [oldest] = packages.keys();
      if (packages.size >= mostPackages && oldest !== undefined) packages.delete(oldest);
      packages.set(wacz, {
        sizeBytes,
        read: ({ first, last }) =>
          Readable.from(bytesOf(url, `bytes=${first}-${last}`), { objectMode: false }),
      });
      return { title: searchParams.get("title") ?? "", wacz };
    },
    package: (path) => packages.get(path),
  };
}

/**
 * Requests the size of a package. @returns undefined if the store refuses, because the URL is not signed or
 * has expired
 */
async function sizeOf(url: URL): Promise<number | undefined> {
  const response = await ask(url, "bytes=0-0");
  response.destroy();
  const [, total] = /^bytes 0-0\/(\d+)$/.exec(response.headers["content-range"] ?? "") ?? [];
  return total === undefined ? undefined : Number(total);
}

async function* bytesOf(url: URL, range: string): AsyncGenerator<Uint8Array> {
  const response = await ask(url, range);
  if (response.statusCode !== 206) throw new Error(`the store responded ${response.statusCode}`);
  yield* response;
}

function ask(url: URL, range: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { range } }, resolve).once("error", reject);
  });
}
