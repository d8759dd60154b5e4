export { CodeField, codeFault } from './code-field.tsx'
export { CodeRow } from './code-row.tsx'
export { ResendButton } from './resend-button.tsx'
export { mailLanguageOf } from './mail-language.ts'
