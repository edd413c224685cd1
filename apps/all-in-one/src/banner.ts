interface BannerFacts {
  baseUrl: string;
  simulatorUrl: string;
  credentialsFile: string;
  testKey: string;
}

/** Shows the demo workspace's test key and no other secret. */
export function banner({ baseUrl, simulatorUrl, credentialsFile, testKey }: BannerFacts): string {
  return [
    '',
    `  Watchword is running at ${baseUrl}`,
    `  Its API, documented     ${baseUrl}/docs`,
    `  Carrier simulator       ${simulatorUrl}`,
    `  Keys and passwords      ${credentialsFile}`,
    '',
    '  Send a first one-time password (test key, nothing is charged):',
    '',
    `  curl -s ${baseUrl}/v1/otp/send -H 'Authorization: Bearer ${testKey}' \\`,
    `    -H 'Content-Type: application/json' -d '{"phone_number":"+2348031234567"}'`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}
