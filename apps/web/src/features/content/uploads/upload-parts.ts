export { Announcer } from './announcer.tsx'
export { UploadRows } from './upload-rows.tsx'
export { UploadPanel } from './upload-panel.tsx'
export { CancelAllConfirm, DiscardConfirm } from './upload-questions.tsx'
