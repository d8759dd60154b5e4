/** What the frame that draws a document says. It is sent the content of the file as an ArrayBuffer, once it is ready. */
export type DocumentReply =
  | { readonly kind: 'ready' }
  /** With the height of a mail, in pixels. */
  | { readonly kind: 'shown'; readonly height?: number }
  | { readonly kind: 'failed'; readonly reason: string }

export function isDocumentReply(data: unknown): data is DocumentReply {
  return typeof data === 'object' && data !== null && 'kind' in data
}

/** A mail for the frame, in place of a document. */
export interface MailToDraw {
  readonly kind: 'mail'
  readonly html: string
}

export function isMailToDraw(data: unknown): data is MailToDraw {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'mail' && 'html' in data
}
