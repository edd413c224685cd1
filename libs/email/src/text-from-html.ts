/** Characters. Longer HTML is not converted, because the conversion is not linear. */
const HTML_LENGTH_MAX = 512 * 1_024;

/** Returns the text for a reader without HTML. Empty for HTML that is too large or too deep. */
export async function textFromHtml(html: string): Promise<string> {
  const head = 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n';
  const encoded = Buffer.from(html, 'utf8').toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const message = `${head}Content-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n`;
  // Large, and used by a process that reads HTML only.
  const { simpleParser } = await import('mailparser');
  const { text } = await simpleParser(message, {
    maxHtmlLengthToParse: HTML_LENGTH_MAX,
    skipTextToHtml: true,
    skipImageLinks: true,
  });
  return text?.trim() ?? '';
}
