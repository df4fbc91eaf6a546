/** Opens a site on its own port, or, when that is taken, on any: then its pages have other addresses than last time. */
export async function onOwnPort<Site>(
  { what, ownPort, tell }: { what: string; ownPort: number; tell: (line: string) => void },
  open: (port: number) => Promise<Site>,
): Promise<Site> {
  try {
    return await open(ownPort);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    tell(`Port ${ownPort} is taken: the ${what} takes another.`);
    return open(0);
  }
}
