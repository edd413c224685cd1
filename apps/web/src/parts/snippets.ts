import type { Mode } from '../api/client';

/** The same call in three languages, with this server's address. */
export function snippetsOf(path: string, body: object, mode: Mode) {
  const url = `${location.origin}${path}`;
  const key = `svc_${mode}_…`;
  const json = JSON.stringify(body, null, 2);
  return [
    {
      language: 'curl',
      code: `curl ${url} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`,
    },
    {
      language: 'TypeScript',
      code: `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    authorization: 'Bearer ${key}',
    'content-type': 'application/json',
    'idempotency-key': crypto.randomUUID(),
  },
  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),
});
if (!response.ok) throw new Error((await response.json()).error.message);
console.log(await response.json());`,
    },
    {
      language: 'Python',
      code: `import requests, uuid

response = requests.post(
    ${JSON.stringify(url)},
    headers={"Authorization": "Bearer ${key}", "Idempotency-Key": str(uuid.uuid4())},
    json=${json.replaceAll('\n', '\n    ')},
    timeout=10,
)
response.raise_for_status()
print(response.json())`,
    },
  ];
}
