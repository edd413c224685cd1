/** The part of html-to-text 10 that is used. The package has no types. */
declare module 'html-to-text' {
  export interface Element {
    readonly type: string;
    readonly prev: Element | null;
    readonly children: readonly Element[];
  }
  export interface BlockTextBuilder {
    addLiteral(text: string): void;
  }
  export type Walk = (children: readonly Element[], builder: BlockTextBuilder) => void;
  export interface HtmlToTextOptions {
    readonly limits?: { readonly maxDepth?: number };
    readonly formatters?: Record<
      string,
      (element: Element, walk: Walk, builder: BlockTextBuilder) => void
    >;
    readonly selectors?: readonly {
      readonly selector: string;
      readonly format: string;
      readonly options?: object;
    }[];
  }
  export function htmlToText(html: string, options?: HtmlToTextOptions): string;
}
