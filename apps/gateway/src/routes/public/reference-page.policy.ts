import { escapeHtml } from '@watchword/email';

/** Renders the OpenAPI document as one HTML page, without scripts and external content. */
type Json = Record<string, unknown>;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dde3, #39414b); --soft: light-dark(#f4f6f8, #1c2128);
  --text: light-dark(#1b1f24, #e3e8ee); --link: light-dark(#0b5cad, #7cb8ff); }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 6rem; font: 16px/1.5 system-ui, sans-serif;
  color: var(--text); background: light-dark(#fff, #12161b) }
a { color: var(--link) }
nav ul { columns: 16rem; padding-left: 1.2rem }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: 0 1rem }
details[open] { padding-bottom: 1rem }
summary { cursor: pointer; padding: .6rem 0; overflow-wrap: anywhere }
code, pre { font: 14px/1.45 ui-monospace, monospace }
pre { background: var(--soft); border-radius: .4rem; overflow: auto; padding: .8rem; max-height: 30rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top }
.method { display: inline-block; min-width: 4.2rem; font-weight: 700; text-transform: uppercase }
`;

export function renderReference(document: Json): string {
  const { title, description } = document['info'] as Record<string, string>;
  const operations = operationsOf(withoutReferences(document));
  const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
  const sections = tags.map((tag) => section(tag, operations));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)} API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>${escapeHtml(title)} API</h1><p>${escapeHtml(description)}
The same for machines, in OpenAPI 3.1 and, with <code>?version=3.0</code>, in 3.0.3:
<a href="/openapi.json">openapi.json</a> for API keys, <a href="/openapi/dashboard.json">dashboard.json</a>,
<a href="/openapi/operator.json">operator.json</a>.</p>
<nav aria-label="Contents"><ul>${tags
    .map((tag) => `<li><a href="#${slug(tag)}">${escapeHtml(tag)}</a></li>`)
    .join('')}</ul></nav>
<main>${sections.join('\n')}</main></body></html>
`;
}

/** Replaces references by the named schemas. */
function withoutReferences(document: Json): Json {
  const { schemas } = document['components'] as { schemas: Json };
  const start = '#/components/schemas/';
  const paths = JSON.stringify(document['paths'], (_, value) => {
    const reference = (value as Json | null)?.['$ref'];
    if (typeof reference !== 'string' || !reference.startsWith(start)) return value;
    return schemas[reference.slice(start.length)];
  });
  return { paths: JSON.parse(paths) as Json };
}

interface Operation extends Json {
  method: string;
  path: string;
  tags: string[];
}

function operationsOf(document: Json): Operation[] {
  const paths = Object.entries(document['paths'] as Record<string, Json>);
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as Json & { tags: string[] }),
      method,
      path,
    })),
  );
}

function section(tag: string, operations: Operation[]): string {
  const own = operations.filter(({ tags }) => tags.includes(tag));
  return `<section id="${slug(tag)}"><h2>${escapeHtml(tag)}</h2>${own.map(article).join('\n')}</section>`;
}

function article(operation: Operation): string {
  const { method, path, summary, description, security, requestBody, responses } = operation;
  const schemes = (security as Json[]).flatMap((scheme) => Object.keys(scheme));
  return `<details id="${escapeHtml(operation['operationId'])}"><summary><span class="method">${method}</span>
<code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
${description ? `<p>${escapeHtml(description)}</p>` : ''}
<p>Authentication: ${schemes.length === 0 ? 'none' : schemes.join(', ')}.</p>
${parameterTable(operation['parameters'] as Json[])}
${requestBody ? contents('Request body', (requestBody as Json)['content'] as Json) : ''}
${Object.entries(responses as Record<string, Json>)
  .map(response)
  .join('\n')}</details>`;
}

function parameterTable(parameters: Json[]): string {
  const named = parameters.filter((parameter) => 'name' in parameter);
  if (named.length === 0) return '';
  const rows = named.map(
    ({ name, in: place, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td>` +
      `<td><code>${escapeHtml(JSON.stringify(schema))}</code></td></tr>`,
  );
  return `<table><tr><th>Parameter</th><th>In</th><th>Schema</th></tr>${rows.join('')}</table>`;
}

function response([status, { description, content }]: [string, Json]): string {
  const paragraphs = String(description)
    .split('\n\n')
    .map((text) => `<li>${escapeHtml(text)}</li>`);
  const isSuccess = status.startsWith('2');
  const body = isSuccess && content ? contents('Answer', content as Json) : '';
  return `<h4>${status}</h4><ul>${paragraphs.join('')}</ul>${body}`;
}

function contents(title: string, content: Json): string {
  return Object.entries(content as Record<string, Json>)
    .map(([type, { schema, example }]) => {
      const shown = example === undefined ? '' : pre(example);
      return (
        `<h4>${title}, <code>${escapeHtml(type)}</code></h4>${shown}` +
        `<details><summary>Schema</summary>${pre(schema)}</details>`
      );
    })
    .join('');
}

function pre(value: unknown): string {
  return `<pre tabindex="0">${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

/** Returns the anchor of a part. */
export function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}
