/** The part of saxen that is used; it brings no types. */
declare module 'saxen' {
  export class Parser {
    on(event: 'openTag', handle: (tag: string, attributesOf: () => unknown) => void): this
    on(event: 'closeTag', handle: (tag: string) => void): this
    on(event: 'text' | 'cdata', handle: (raw: string) => void): this
    on(event: 'attention' | 'warn' | 'error', handle: () => void): this
    parse(text: string): void
  }
}
