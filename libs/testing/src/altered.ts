/** Returns a key, token, secret or signature with another character in its middle, where every bit of Base64 counts. */
export function altered(text: string): string {
  const middle = text.length >> 1;
  return `${text.slice(0, middle)}${text[middle] === '0' ? '1' : '0'}${text.slice(middle + 1)}`;
}
