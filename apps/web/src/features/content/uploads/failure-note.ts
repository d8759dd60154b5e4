import type { Texts } from '../../../lib/texts.tsx'
import { SourceGone } from './source-gone.ts'

/** Why an upload failed and what to do about it, with the code of a refusal. */
export function failureNote(error: unknown, texts: Texts): string {
  if (error instanceof SourceGone) return texts('uploads.source-gone')
  return [texts.failure(error), texts.reference(error)].filter((part) => part !== undefined).join(' · ')
}
