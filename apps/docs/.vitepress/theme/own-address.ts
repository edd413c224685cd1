/** The address that `npm start` prints. Guides and samples show it until a reader's own replaces it. */
const PRINTED = 'http://127.0.0.1:3000';

export function withOwnAddress(text: string): string {
  return text.replaceAll(PRINTED, location.origin);
}

/** Code of the page calls the installation that the page came from. */
export function showOwnAddress(): void {
  if (location.origin === PRINTED) return;
  for (const code of document.querySelectorAll('.vp-doc pre code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data } = texts.currentNode as Text;
      if (data.includes(PRINTED)) (texts.currentNode as Text).data = withOwnAddress(data);
    }
  }
}
