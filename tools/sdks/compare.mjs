/** Compares what an SDK sent and answered with a case of `sdks/behaviour.json`. Only the members named there count. */

const PLACEHOLDERS = {
  '<any>': (given) => given !== undefined && given !== null && given !== '',
  '<absent>': (given) => given === undefined,
  '<null>': (given) => given === undefined || given === null,
};

/** What a driver is asked to do. */
export function requestOf({ call = '', path, body, query, options, as, ...given }, client) {
  const [resource, method] = call.split('.');
  const { cancelled, verify } = given;
  return { client, resource, method, path, body, query, options, as, cancelled, verify };
}

/** Returns one text for each difference. */
export function differences(expect, given, requests, facts) {
  const found = [];
  const check = (place, wanted, actual) => compare(place, wanted, actual, found, facts);
  if ('value' in expect) {
    if (given.error) found.push(`threw ${JSON.stringify(given.error)}`);
    else check('value', expect.value, given.value);
  }
  if (expect.error) {
    // Go has no classes.
    const { class: name, ...error } = expect.error;
    if (!given.error) found.push(`returned ${JSON.stringify(given.value)} instead of an error`);
    else check('error', facts.isGo || !name ? error : { class: name, ...error }, given.error);
  }
  if (expect.sleeps) check('sleeps', expect.sleeps, given.sleeps);
  if (expect.count !== undefined) check('requests', expect.count, requests.length);
  if (expect.sameKey) {
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
    if (keys.size !== 1 || keys.has(undefined)) found.push(`keys: ${[...keys].join(', ')}`);
  }
  if (expect.requests) {
    check('requests', expect.requests.length, requests.length);
    for (const [index, wanted] of expect.requests.entries()) {
      compareRequest(`requests[${index}]`, wanted, requests[index] ?? {}, found, facts);
    }
  }
  return found;
}

function compareRequest(place, wanted, actual, found, facts) {
  const { exactBody, rawPathExcludes, ...members } = wanted;
  compare(place, members, actual, found, facts);
  if (exactBody) {
    const sorted = (body) => JSON.stringify(Object.entries(body ?? {}).toSorted());
    if (sorted(exactBody) !== sorted(actual.body)) {
      found.push(`${place}.body is ${JSON.stringify(actual.body)}`);
    }
  }
  if (rawPathExcludes && actual.path?.includes(rawPathExcludes)) {
    found.push(`${place}.path is ${actual.path}`);
  }
}

function compare(place, wanted, actual, found, facts) {
  if (typeof wanted === 'string' && wanted in PLACEHOLDERS) {
    if (!PLACEHOLDERS[wanted](actual)) found.push(`${place} is ${JSON.stringify(actual)}`);
    return;
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) {
      found.push(`${place} is ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
      return;
    }
    for (const [index, one] of wanted.entries()) {
      compare(`${place}[${index}]`, one, actual[index], found, facts);
    }
    return;
  }
  if (typeof wanted === 'object' && wanted !== null) {
    for (const [name, one] of Object.entries(wanted)) {
      compare(`${place}.${name}`, one, actual?.[name], found, facts);
    }
    return;
  }
  const text =
    typeof wanted === 'string'
      ? wanted.replace('<key>', facts.key).replace('<sdk>', facts.userAgent)
      : wanted;
  if (text !== actual) {
    found.push(`${place} is ${JSON.stringify(actual)} instead of ${JSON.stringify(text)}`);
  }
}
