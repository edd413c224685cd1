const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '"': '&quot;', "'": '&#39;' },
};

/** The text as it stands in an element or a quoted attribute of HTML. */
export function escapeHtml(text: unknown): string {
  return String(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
