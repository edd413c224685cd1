/** Code that checks `Svc-Signature: t=<seconds>,v1=<hex>` over the raw body. */
export const VERIFIERS = [
  {
    language: 'TypeScript',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isGenuine(header: string, body: Buffer, secret: string): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(\`\${time}.\`).update(body).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  },
  {
    language: 'Python',
    code: `import hashlib, hmac, time

def is_genuine(header: str, body: bytes, secret: str) -> bool:
    parts = [part.split("=", 1) for part in header.split(",")]
    sent = next((value for name, value in parts if name == "t"), "0")
    if abs(time.time() - int(sent)) > 300:
        return False
    expected = hmac.new(secret.encode(), f"{sent}.".encode() + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, expected) for name, value in parts)`,
  },
  {
    language: 'Go',
    code: `func IsGenuine(header string, body []byte, secret string) bool {
	var sent string
	var given []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			sent = value
		case "v1":
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sent + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	for _, one := range given {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  },
  {
    language: 'PHP',
    code: `function is_genuine(string $header, string $body, string $secret): bool {
    preg_match('/t=(\\d+)/', $header, $time);
    preg_match_all('/v1=([0-9a-f]+)/', $header, $given);
    if (!$time || abs(time() - (int) $time[1]) > 300) return false;
    $expected = hash_hmac('sha256', $time[1] . '.' . $body, $secret);
    foreach ($given[1] as $one) {
        if (hash_equals($expected, $one)) return true;
    }
    return false;
}`,
  },
  {
    language: 'Ruby',
    code: `require 'openssl'

def genuine?(header, body, secret)
  parts = header.split(',').map { |part| part.split('=', 2) }
  time = parts.assoc('t')&.last.to_s
  return false if (Time.now.to_i - time.to_i).abs > 300
  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{time}.#{body}")
  parts.any? { |name, value| name == 'v1' && OpenSSL.secure_compare(value, expected) }
end`,
  },
] as const;
