export { Preview } from './lazy-preview.tsx'
export { usePreviewAddress } from './preview-address.ts'
export { neighboursOf } from './neighbours.ts'
export { type DocumentReply, isDocumentReply, isMailToDraw, type MailToDraw } from './document/document-messages.ts'
