/** Serves a built interface on the loopback address, under the content policy of the window. */
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' artifact: http://artifact.localhost data: blob:; font-src 'self'; " +
  "connect-src 'self' ipc: http://ipc.localhost artifact: http://artifact.localhost; " +
  "object-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

export async function serve(root) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = normalize(pathname === "/" ? "/index.html" : decodeURIComponent(pathname));
    try {
      const body = await readFile(join(root, path));
      response.writeHead(200, {
        "content-type": types[extname(path)] ?? "application/octet-stream",
        "content-security-policy": policy,
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((open) => server.listen(0, "127.0.0.1", open));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
