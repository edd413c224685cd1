import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

interface Page {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  readonly body: string;
}

/** Returns a page without a build step. Its policy allows only its own style and script. */
export function scriptedPage(
  server: FastifyInstance,
  path: string,
  { title, style, script, body }: Page,
  furtherPolicy: readonly string[] = [],
): void {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...furtherPolicy,
  ].join('; ');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>${body}
<script>${script}</script>
</body>
</html>
`;
  server.get(path, (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(html),
  );
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
